import { action, effect } from '@preact/signals';
import type { AppProps } from '../app.ts';
import type { Models } from '../models.ts';
import type { View } from '../view.ts';
import { adoptStyles } from '../browser/page.ts';
import { createAccountApi } from './api.ts';
import css from './account.css?inline';
import { createEmailCode } from './email-code.ts';
import { FindTickets } from './FindTickets.tsx';
import { createData } from './data.ts';
import { Data } from './Data.tsx';
import { createHandoff } from './handoff.ts';
import { Handoff } from './Handoff.tsx';

adoptStyles(css);

/** Models and views of `find`, `handoff` and `data`. */
export function createAccount(models: Models, api = createAccountApi(models.api)) {
  const { view } = models;
  const emailCode = createEmailCode({ ...models, api });
  const handoff = createHandoff({ ...models, api });
  const data = createData({ ...models, api });
  let isFinding = false;

  const onViewChange = action(({ name, secret }: View) => {
    // From the code the customer goes back to the address.
    if (name !== 'find' || isFinding) emailCode.forget();
    isFinding = name === 'find';
    if (name === 'new') emailCode.settle();
    if (name === 'data') void data.load();
    else data.forget();
    if (name !== 'handoff') handoff.leave();
    else if (secret === undefined) void handoff.offer();
    else handoff.find(secret);
  });
  effect(() => onViewChange(view.current.value));

  return {
    emailCode,
    handoff,
    data,
    Account({ app }: AppProps) {
      const { name } = view.current.value;
      if (name === 'find') return <FindTickets app={app} emailCode={emailCode} />;
      return name === 'data' ? <Data app={app} data={data} /> : <Handoff app={app} handoff={handoff} />;
    },
  };
}
