import { fill } from '../i18n/words.ts';
import type { AppProps } from '../app.ts';

/** Below the field of an address: offers the one that was probably meant. It never keeps the customer from sending. */
export function MeantAddress({ app: { s, newTicket }, field }: AppProps & { field: string }) {
  const domain = newTicket.meant.value;
  function take() {
    newTicket.takeMeant(domain!);
    document.getElementById(field)?.focus();
  }
  return (
    <output class={domain ? undefined : 'unseen'}>
      {domain && (
        <button type="button" class="link" onClick={take}>
          {fill(s.didYouMean, { domain })}
        </button>
      )}
    </output>
  );
}
