import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../../scripts/serve.ts';

/** A webhook receiver of a test; `answer` gives the answer to each request. */
export async function startReceiver(answer: (count: number) => { status: number; location?: string }) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const { url, stop } = await serve((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      const { status, location } = answer(received.length);
      response.writeHead(status, location === undefined ? {} : { location }).end('thanks');
    });
  });
  return { url: `${url}/hooks/tickets`, received, stop };
}
