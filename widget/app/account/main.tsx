import type { Account, AccountCore } from '../state/account.ts';
import { adoptStyles } from '../styles/adopt.ts';
import type { SharedProps } from '../ui/shared.ts';
import css from './account.css?inline';
import { createEmailCode } from './email-code.ts';
import { FindTickets } from './FindTickets.tsx';
import { createHandoff } from './handoff.ts';
import { Handoff } from './Handoff.tsx';

adoptStyles(css);

/** Earlier tickets by a code, and the way to another device: models and views. */
export function createAccount(core: AccountCore) {
  const emailCode = createEmailCode(core, document.documentElement.lang);
  const handoff = createHandoff(core);
  return {
    emailCode,
    handoff,
    hear({ name, secret }) {
      if (name !== 'find') emailCode.forget();
      if (name !== 'handoff') handoff.leave();
      else if (secret === undefined) void handoff.offer();
      else handoff.find(secret);
    },
    Place: ({ app }: SharedProps) =>
      app.view.current.value.name === 'find' ? (
        <FindTickets app={app} emailCode={emailCode} />
      ) : (
        <Handoff app={app} handoff={handoff} />
      ),
  } satisfies Account & Record<string, unknown>;
}
