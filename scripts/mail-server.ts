import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A refusal in SMTP's form, such as `550 5.1.1 No such user`. */
function refusal(line: string): Error {
  const [code = '', ...words] = line.split(' ');
  return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) });
}

/** A mail server on loopback that keeps what it gets. */
export async function startMailServer() {
  /** `at`: when it was taken, Unix milliseconds. */
  const mails: { to: string[]; text: string; at: number }[] = [];
  const answers = {
    /** The refusal of a recipient, if it is refused. */
    refuse: (_to: string): string | null => null,
    /** Called when a mail has been taken, before the sender gets its answer. */
    onTaken: async (): Promise<void> => {},
  };
  const sockets = new Set<Socket>();
  let port = 0;
  let server: SMTPServer;

  async function start(): Promise<void> {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo({ address }, _session, done) {
        const line = answers.refuse(address);
        done(line === null ? null : refusal(line));
      },
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        async function take(): Promise<void> {
          const to = envelope.rcptTo.map(({ address }) => address);
          mails.push({ to, text: Buffer.concat(chunks).toString(), at: Date.now() });
          await answers.onTaken();
          done();
        }
        stream.on('end', () => void take());
      },
    });
    server.server.on('connection', (socket: Socket) => {
      sockets.add(socket.once('close', () => sockets.delete(socket)));
    });
    // A sender that disconnects is no error of this server.
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    ({ port } = server.server.address() as AddressInfo);
  }
  await start();

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    answers,
    /** The code in the newest mail to this address. */
    codeFor: (email: string) =>
      /^Subject: (\d{6}) /m.exec(mails.findLast(({ to }) => to.includes(email))?.text ?? '')?.[1] ?? '',
    /** Opens the server again at the same address. */
    start,
    /** Closes all connections. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export type TestMailServer = Awaited<ReturnType<typeof startMailServer>>;
