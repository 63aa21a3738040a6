/** @jsxImportSource hono/jsx */
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Deps } from '../deps.ts';
import { Problem } from '../problem.ts';
import { customerRoutes } from './routes/customers.tsx';
import { attachRoutes } from './routes/files.ts';
import { keyRoutes } from './routes/keys.tsx';
import { mergeRoutes } from './routes/merge.tsx';
import { savedAnswerRoutes } from './routes/saved-answers.tsx';
import { signInRoutes } from './routes/sign-in.tsx';
import { ticketListRoutes } from './routes/ticket-list.tsx';
import { ticketRoutes } from './routes/ticket.ts';
import { webhookRoutes } from './routes/webhooks.tsx';
import { writeRoutes } from './routes/write.ts';
import { sameOrigin } from './same-origin.ts';
import { script, scriptPath } from './script.ts';
import { sentences } from './sentences/sentences.ts';
import { requireAgent, type DeskEnv } from './session.ts';
import { stylesheet, stylesheetPath } from './stylesheet.ts';
import { createTicketRequests } from './ticket-requests.tsx';
import { ErrorPage } from './views/ErrorPage.tsx';

const texts = sentences.errors;

/**
 * SECURITY: pictures of the desk's own files, and of servers that the operator names. A customer's text can have links to
 * any server, which must not learn when an agent reads it.
 */
const contentSecurityPolicy = ({ publicUrl, fileHosts }: Pick<Deps, 'publicUrl' | 'fileHosts'>) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The script requests the page that it is in.
    "connect-src 'self'",
    `img-src data: ${[new URL(publicUrl).origin, ...fileHosts].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A form's 20,000 characters, if each is percent-encoded. */
const maxFormBytes = 512 * 1024;

/** The agents' pages, to be mounted under `/desk`. */
export function createDesk(deps: Deps): Hono<DeskEnv> {
  const desk = new Hono<DeskEnv>();

  desk.use(securityHeaders(contentSecurityPolicy(deps)));
  for (const [path, content, type] of [
    [stylesheetPath, stylesheet, 'text/css'],
    [scriptPath, script, 'text/javascript'],
  ] as const)
    desk.get(path.replace(/^\/desk/, ''), (c) =>
      c.body(content, 200, {
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': 'public, max-age=31536000, immutable',
      }),
    );
  desk.use(sameOrigin(deps.publicUrl));
  // It has a limit of its own.
  desk.route('/files', attachRoutes(deps));
  desk.use(
    bodyLimit({
      maxSize: maxFormBytes,
      onError: () => {
        throw new Problem(413, texts.formTooLarge);
      },
    }),
  );
  desk.route('/', signInRoutes(deps));

  desk.use(requireAgent(deps));
  desk.route('/', ticketListRoutes(deps));
  const requests = createTicketRequests(deps);
  desk.route('/tickets/:id', ticketRoutes(deps, requests));
  desk.route('/tickets/:id', writeRoutes(deps, requests));
  desk.route('/tickets/:id', mergeRoutes(deps, requests));
  desk.route('/saved-answers', savedAnswerRoutes(deps));
  desk.route('/customers', customerRoutes(deps));
  desk.route('/keys', keyRoutes(deps));
  desk.route('/webhooks', webhookRoutes(deps));

  desk.all('*', () => {
    throw new Problem(404, texts.noPage);
  });
  desk.onError((error, c) => {
    if (error instanceof Problem)
      return c.html(
        <ErrorPage title={error.status === 404 ? texts.notFound : texts.refused} message={error.message} />,
        error.status,
      );
    deps.log.error({ err: error }, 'desk request failed');
    return c.html(<ErrorPage {...texts.broken} />, 500);
  });
  return desk;
}

const securityHeaders =
  (policy: string): MiddlewareHandler =>
  async (c, next) => {
    c.header('Content-Security-Policy', policy);
    c.header('X-Content-Type-Options', 'nosniff');
    // Not `no-referrer`: with it browsers send `Origin: null` with the desk's own forms.
    c.header('Referrer-Policy', 'same-origin');
    c.header('Cache-Control', 'no-store');
    await next();
  };
