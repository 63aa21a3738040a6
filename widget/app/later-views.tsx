import type { ComponentType } from 'preact';
import type { App, AppProps, Scripts } from './app.ts';
import { LoadingView, Waiting } from './ui/Waiting.tsx';
import type { View } from './view.ts';

/*
 * Views whose scripts are fetched later, for other views to use like any other. Until its script is loaded, such a view
 * draws nothing, or what stands in for it.
 */

export const later =
  <Props extends AppProps>(
    find: (scripts: Scripts) => ComponentType<Props> | undefined,
    StandIn?: ComponentType<Props>,
  ) =>
  (props: Props) => {
    const View = find(props.app.scripts) ?? StandIn;
    return View ? <View {...props} /> : null;
  };

export const LiveAnnouncer = later(({ conversation }) => conversation.loaded.value?.LiveAnnouncer);
export const Notice = later(({ conversation }) => conversation.loaded.value?.Notice);
export const AccountMenu = later(({ returning }) => returning.loaded.value?.AccountMenu);
export const AccountNotices = later(({ returning }) => returning.loaded.value?.AccountNotices);
export const Earlier = later(({ returning }) => returning.loaded.value?.Earlier);
export const Ended = later(({ returning }) => returning.loaded.value?.Ended);
export const ThreadMenu = later(({ returning }) => returning.loaded.value?.ThreadMenu);
export const RichText = later(
  ({ returning }) => returning.loaded.value?.RichText,
  ({ text }) => <>{text}</>,
);
export const Elsewhere = later(
  ({ returning }) => returning.loaded.value?.Elsewhere,
  ({ app }) => <Waiting app={app} failure={null} retry={app.refresh} />,
);

/** Which script draws what is on screen; null: this one, or that of the articles. */
export function scriptOnScreen({ view, isForm }: Pick<App, 'view' | 'isForm'>): keyof Scripts | null {
  const { name, back } = view.current.value;
  if (isForm.value || back) return null;
  if (name === 'thread') return 'conversation';
  return name === 'start' ? 'returning' : 'account';
}

/** Stands in for a whole view. */
function Loading({ app }: AppProps) {
  const { s, view, scripts } = app;
  const { name } = view.current.value;
  const titles: Partial<Record<View['name'], string>> = {
    find: s.find,
    handoff: s.otherDevice,
    data: s.data.title,
    thread: s.conversation,
  };
  return (
    <LoadingView
      app={app}
      script={scripts[scriptOnScreen(app)!]}
      back={name === 'thread' ? s.backToTickets : name !== 'start' && s.back}
      title={titles[name]!}
    />
  );
}

export const Thread = later(({ conversation }) => conversation.loaded.value?.Thread, Loading);
export const Account = later(({ account }) => account.loaded.value?.Account, Loading);
