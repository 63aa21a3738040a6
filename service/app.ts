import { Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import { createApi } from './api/routes.ts';
import type { Deps } from './deps.ts';
import { createDesk } from './desk/desk.tsx';
import { fileRoutes } from './files/routes.ts';
import { Problem } from './problem.ts';

/** The whole service as one request handler: the public API, the agents' desk and `/livez`. */
export function createApp(deps: Deps): Hono {
  const app = new Hono({ strict: false });

  app.use(async (c, next) => {
    const startedAtMs = performance.now();
    await next();
    // SECURITY: the route's pattern, since an address may contain a misplaced key or an agent's search text.
    const ms = Math.round(performance.now() - startedAtMs);
    deps.log.info(
      { method: c.req.method, route: matchedRoutes(c).at(-1)?.path, status: c.res.status, ms },
      'request',
    );
  });

  app.get('/livez', (c) => c.text('ok'));
  app.get('/', (c) => c.redirect('/desk', 302));
  app.route('/api/v1', createApi(deps));
  app.route('/desk', createDesk(deps));
  app.route('/f', fileRoutes(deps.files));

  app.notFound((c) => c.json({ error: 'Not found' }, 404));
  app.onError((error, c) => {
    if (error instanceof Problem) {
      // The rest of the body is never read, so the connection cannot carry another request.
      if (error.status === 413) c.header('Connection', 'close');
      return c.json({ error: error.message, ...(error.fields && { fields: error.fields }) }, error.status);
    }
    deps.log.error({ err: error }, 'request failed');
    return c.json({ error: 'Internal error' }, 500);
  });
  return app;
}
