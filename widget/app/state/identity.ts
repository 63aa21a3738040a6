import type { Session } from '../../../bff/contract/session.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from './clock.ts';
import type { OutboxModel } from './outbox.ts';
import type { SessionModel } from './session.ts';

const askEveryMs = 30_000;
const answerWithinMs = 10_000;

interface IdentityOptions {
  api: Api;
  clock: Clock;
  session: SessionModel;
  outbox: OutboxModel;
  /** Asks the host page for a fresh token. */
  askForToken: () => void;
  /** Takes the session that a token was exchanged for. */
  onSession: (session: Session) => void;
  onEvent: (event: WidgetEvent) => void;
}

/** The customer as the site's own server names them, and the silent renewal of a session that has ended. */
export function createIdentity(options: IdentityOptions) {
  const { api, clock, session, outbox, askForToken, onSession, onEvent } = options;
  let isKnown = false;
  let askedAt = -Infinity;
  let renewal: Promise<boolean> | null = null;
  let settle: (isSame: boolean) => void = () => {};
  let exchange = Promise.resolve();
  /** Lets a token go that waits for a send. */
  let goOn = () => {};

  async function take(token: string) {
    // A send that waits for a session to be renewed is answered only after this.
    if (!renewal)
      await new Promise<void>((resolve) => {
        goOn = resolve;
        void outbox.idle().then(resolve);
      });
    const before = session.current.peek()?.customer?.email;
    // The host page can give tokens, whatever becomes of this one.
    isKnown = true;
    const result = await api.identify(token);
    if (result.ok) onSession(result.value);
    else onEvent({ name: 'error', detail: { code: result.error.code ?? 'internal' } });
    settle(result.ok && result.value.customer?.email === before);
  }

  return {
    /** One token after the other; the answer comes when this one has been taken or refused. */
    identify: (token: string) => (exchange = exchange.then(() => take(token))),
    /** When no token is on its way: of answers that cross, the later one's cookie stays, whoever it is for. */
    async idle() {
      let last;
      do await (last = exchange);
      while (last !== exchange);
    },
    /**
     * True when the host page has given a fresh token for the same customer. It is asked at most once in 30 seconds;
     * never before it has identified anybody, nor after the customer has signed out.
     */
    renew(): Promise<boolean> {
      if (renewal) return renewal;
      if (!isKnown || session.hasLeft() || clock.now() - askedAt < askEveryMs) return Promise.resolve(false);
      askedAt = clock.now();
      renewal = new Promise((resolve) => {
        const cancel = clock.after(answerWithinMs, () => settle(false));
        settle = (isSame) => {
          cancel();
          renewal = null;
          resolve(isSame);
        };
      });
      goOn();
      askForToken();
      return renewal;
    },
    forget() {
      isKnown = false;
      settle(false);
    },
  };
}
