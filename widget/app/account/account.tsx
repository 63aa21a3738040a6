import type { Account, AccountCore } from '../customer/account.ts';
import type { PlaceProps } from '../shared.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import css from './account.css?inline';
import { createEmailCode } from './email-code.ts';
import { FindTickets } from './FindTickets.tsx';
import { createHandoff } from './handoff.ts';
import { Handoff } from './Handoff.tsx';

adoptStyles(css);

/** Models and views of `find` and `handoff`. */
export function createAccount(core: AccountCore) {
  const emailCode = createEmailCode(core, document.documentElement.lang);
  const handoff = createHandoff(core);
  return {
    emailCode,
    handoff,
    onViewChange({ name, secret }) {
      if (name !== 'find') emailCode.forget();
      if (name !== 'handoff') handoff.leave();
      else if (secret === undefined) void handoff.offer();
      else handoff.find(secret);
    },
    Place: ({ app, status }: PlaceProps) =>
      app.view.current.value.name === 'find' ? (
        <FindTickets app={app} status={status} emailCode={emailCode} />
      ) : (
        <Handoff app={app} status={status} handoff={handoff} />
      ),
  } satisfies Account & Record<string, unknown>;
}
