import type { FunctionComponent } from 'preact';
import { Bar } from './Bar.tsx';
import type { SharedProps } from './shared.ts';
import { Waiting } from './Waiting.tsx';

/** A view whose script comes only now, and until then what it will be. */
export function AccountPlace({ app }: SharedProps) {
  const { s, view, customer } = app;
  const { loaded, hasFailed, fetch } = customer.account;
  const Place = loaded.value?.Place as FunctionComponent<SharedProps> | undefined;
  if (Place) return <Place app={app} />;
  return (
    <main class="view">
      <Bar app={app} back={s.back} title={view.current.value.name === 'find' ? s.find : s.otherDevice} />
      <Waiting app={app} failure={hasFailed.value ? { code: null } : null} retry={fetch} />
    </main>
  );
}
