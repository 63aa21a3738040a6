import type { Account, AccountCore } from '../customer/account.ts';
import type { PlaceProps } from '../shared.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { type AccountOptions, createAccountApi } from './api.ts';
import css from './account.css?inline';
import { createEmailCode } from './email-code.ts';
import { FindTickets } from './FindTickets.tsx';
import { createData } from './data.ts';
import { Data } from './Data.tsx';
import { createHandoff } from './handoff.ts';
import { Handoff } from './Handoff.tsx';

adoptStyles(css);

/** Models and views of `find`, `handoff` and `data`. */
export function createAccount(core: AccountCore, api = createAccountApi(core.api)) {
  const options: AccountOptions = { ...core, api };
  const emailCode = createEmailCode(options, document.documentElement.lang);
  const handoff = createHandoff(options);
  const data = createData(options);
  let isFinding = false;
  return {
    emailCode,
    handoff,
    data,
    onViewChange({ name, secret }) {
      // From the code the customer goes back to the address.
      if (name !== 'find' || isFinding) emailCode.forget();
      isFinding = name === 'find';
      if (name === 'data') void data.load();
      else data.forget();
      if (name !== 'handoff') handoff.leave();
      else if (secret === undefined) void handoff.offer();
      else handoff.find(secret);
    },
    Place({ app, status }: PlaceProps) {
      const shown = { app, status };
      const { name } = app.view.current.value;
      if (name === 'find') return <FindTickets {...shown} emailCode={emailCode} />;
      return name === 'data' ? <Data {...shown} data={data} /> : <Handoff {...shown} handoff={handoff} />;
    },
  } satisfies Account & Record<string, unknown>;
}
