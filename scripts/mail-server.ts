import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server on loopback that keeps what it gets. */
export async function startMailServer() {
  const mails: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    /** The code in the newest mail to this address. */
    codeFor: (email: string) =>
      /^Subject: (\d{6}) /m.exec(mails.findLast(({ to }) => to.includes(email))?.text ?? '')?.[1] ?? '',
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type TestMailServer = Awaited<ReturnType<typeof startMailServer>>;
