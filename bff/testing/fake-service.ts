import { MockAgent } from 'undici';
import { createFakeService as createFake } from '../../scripts/fake-service.ts';
import { maxResponseSize } from '../core/v1/requests.ts';

export type { Call, FakeMessage, FakeTicket, Reply } from '../../scripts/fake-service.ts';

/** The error of a call when no service listens: the call was not executed. */
export const connectionRefused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
/** The error of a call when its connection breaks: the call may have been executed. */
export const connectionReset = () => Object.assign(new Error('socket'), { code: 'UND_ERR_SOCKET' });

const url = 'https://tickets.test';

/** The fake ticket service behind undici's MockAgent: nothing reaches a network. */
export function createFakeService({ now }: { now: () => number }) {
  const fake = createFake({ now });
  const agent = new MockAgent();
  agent.disableNetConnect();
  const pool = agent.get(url);
  for (const method of ['GET', 'POST']) {
    pool
      .intercept({ path: () => true, method })
      .reply((options) => {
        const answer = fake.respond({
          method,
          path: options.path,
          body: options.body ? JSON.parse(options.body as string) : {},
          headers: options.headers as Record<string, string>,
        });
        if (answer instanceof Error) throw answer;
        if ((answer.data ?? '').length > maxResponseSize)
          throw Object.assign(new Error('too large'), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
        return {
          statusCode: answer.statusCode,
          data: answer.data ?? '',
          responseOptions: {
            headers: {
              ...(fake.tellsTime ? { date: new Date(fake.now()).toUTCString() } : {}),
              ...answer.headers,
            },
          },
        };
      })
      .persist();
  }
  return Object.assign(fake, { url, agent });
}
