import { tryMailServer } from '../../mail/transport.ts';
import { type Check, type CheckContext, fail, ok, once } from './check.ts';

/** Connects to the mail server and logs in, and sends nothing. */
export function mailChecks({ config, patienceMs }: CheckContext): Check[] {
  const attempt = once(async () => {
    const { mail } = config();
    return mail && (await tryMailServer(mail.url, patienceMs));
  });
  const off = 'SMTP_URL is not set: customers get no codes by mail';

  return [
    {
      name: 'mail-connects',
      needs: ['configuration'],
      mend: 'Check host and port in SMTP_URL, and smtp:// or smtps://, and that this machine may connect to it.',
      async run() {
        if (!config().mail) return ok(off);
        const problem = await attempt();
        return problem?.at === 'connection' ? fail(problem.code) : ok('the mail server answers');
      },
    },
    {
      name: 'mail-login',
      needs: ['mail-connects'],
      mend: 'Check user and password in SMTP_URL; special characters in them must be percent-encoded.',
      async run() {
        if (!config().mail) return ok(off);
        const problem = await attempt();
        if (problem) return fail(`the mail server refuses the login (${problem.code})`);
        const hasLogin = new URL(config().mail!.url).username !== '';
        return ok(hasLogin ? 'it takes user and password' : 'it asks for no login');
      },
    },
  ];
}
