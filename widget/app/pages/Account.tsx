import type { FunctionComponent } from 'preact';
import { LoadingView } from '../ui/LoadingView.tsx';
import type { FullProps } from '../shared.ts';

/** The views `find` and `handoff`, whose script comes when one of them is first opened. */
export function Account({ app }: FullProps) {
  const { s, view, customer } = app;
  const { account } = customer;
  const Place = account.loaded.value?.Place as FunctionComponent<FullProps> | undefined;
  if (Place) return <Place app={app} />;
  const title = view.current.value.name === 'find' ? s.find : s.otherDevice;
  return <LoadingView app={app} script={account} back={s.back} title={title} />;
}
