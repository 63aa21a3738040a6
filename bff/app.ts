import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { maxBodyBytes } from './contract/limits.ts';
import { paths } from './contract/paths.ts';
import type { Deps } from './deps.ts';
import { AppError } from './errors.ts';
import { assetRoutes } from './http/assets.ts';
import type { AppEnv } from './http/context.ts';
import { readSessionCookie } from './http/cookie.ts';
import { answerError } from './http/errors.ts';
import { gate } from './http/gate.ts';
import { requestLog } from './http/log.ts';
import { eventRoutes } from './http/routes/events.ts';
import { operationRoutes } from './http/routes/operations.ts';
import { sessionRoutes } from './http/routes/session.ts';
import { ticketRoutes } from './http/routes/tickets.ts';

/** The public port: the widget's files from `assetsDir`, and the API behind the gate. */
export function createApp(deps: Deps, assetsDir: string) {
  const app = new Hono<AppEnv>();
  app.onError(answerError);
  app.notFound((c) => answerError(new AppError('not_found'), c));
  app.use(requestLog(deps.log));
  app.use(async (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    await next();
  });

  app.use('/api/*', gate(deps.config.publicUrl));
  app.use('/api/*', async (c, next) => {
    c.header('Cache-Control', 'no-store');
    const token = readSessionCookie(c);
    c.set('session', token ? await deps.sessions.authenticate(token) : null);
    await next();
  });
  const refuseLarge = () => {
    throw new AppError('payload_too_large');
  };
  app.use('/api/*', bodyLimit({ maxSize: maxBodyBytes, onError: refuseLarge }));

  return app
    .route('/', assetRoutes(assetsDir, deps.config.allowedOrigins))
    .route(paths.session, sessionRoutes(deps))
    .route(paths.tickets, ticketRoutes(deps))
    .route(paths.operations, operationRoutes(deps))
    .route(paths.events, eventRoutes(deps));
}
