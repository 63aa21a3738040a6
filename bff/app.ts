import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { maxBodyBytes } from '../shared/contract/limits.ts';
import { accountPaths } from '../shared/contract/account-paths.ts';
import { paths, versionHeader } from '../shared/contract/paths.ts';
import { AppError } from './core/errors.ts';
import { basePath, ownSource, pathBelow, sessionCookieName } from './core/http/base-path.ts';
import { type Assets, assetRoutes } from './core/http/files/assets.ts';
import { builtDocuments, type DocumentOf } from './core/http/files/documents.ts';
import type { AppEnv } from './core/http/context.ts';
import { answerError } from './core/http/errors.ts';
import { createLanguageChoice } from './core/http/language.ts';
import { gate } from './core/http/gate.ts';
import { headlessRoutes, hoursRoutes, playgroundRoutes } from './core/http/files/pages.ts';
import { commonHeaders, withHeaders } from './core/http/headers.ts';
import { observeRequests, warnOfProxies, traceRequests } from './core/http/observe.ts';
import { operatorCheck } from './core/http/operator-check.ts';
import { eventRoutes, operationRoutes, ticketRoutes } from './core/http/routes/tickets.ts';
import { handoffRoutes, dataRoutes, deviceRoutes, sessionRoutes } from './core/http/routes/account.ts';
import { hookRoutes } from './core/http/routes/hooks.ts';
import { countRequests, visitors } from './core/http/visitor.ts';
import { noHours } from './core/site/hours-script.ts';
import type { Core } from './core/wiring.ts';

interface AppOptions {
  /** Gives the app's document of a language. */
  documentOf?: DocumentOf;
  /** Gives the module at `hoursPath`. */
  hoursScript?: () => string;
  /** The path of a site of `SITES_FILE`, below the address of the main site. Undefined for the main site. */
  sitePath?: string | undefined;
}

/** Keeps a host for what is under one path, and the path for that host. */
const onlyAt =
  ({ host, path }: { host: string; path: string }): MiddlewareHandler<AppEnv> =>
  (c, next) => {
    const isThere = c.req.header('Host')?.toLowerCase() === host;
    if (isThere !== c.req.path.startsWith(`${path}/`)) throw new AppError('not_found');
    return next();
  };

/** What browsers reach of one site: the widget's files, and the API behind the gate. */
export function createApp(
  core: Core,
  assets: Assets,
  { documentOf = builtDocuments(assets), hoursScript = () => noHours, sitePath }: AppOptions = {},
) {
  const { sessions, subjects, limits, live, metrics, tracer, parts } = core;
  const {
    publicUrl,
    webhookSecrets,
    trustedProxies,
    allowedOrigins,
    clientOrigins,
    brandLogo,
    hasPlayground,
  } = core.config;
  const bestLanguage = createLanguageChoice(assets.manifest.languages);
  const app = new Hono<AppEnv>({ getPath: pathBelow(publicUrl, sitePath) });
  app.onError(answerError);
  app.notFound((c) => answerError(new AppError('not_found'), c));
  app.use(observeRequests({ log: core.log, metrics, headers: commonHeaders(publicUrl) }));
  app.use(traceRequests({ tracer, isBehindProxy: trustedProxies > 0 }));
  app.use(countRequests({ limits, trustedProxies }));

  for (const { ownHost } of parts) if (ownHost) app.use(onlyAt(ownHost));
  app.use('/api/*', withHeaders({ [versionHeader]: assets.manifest.version }));
  app.use('/api/*', operatorCheck({ hash: core.seal.hash, now: core.now, trustedProxies }));
  const base = basePath(publicUrl);
  const isElsewhere = sitePath !== undefined && !base.endsWith(sitePath);
  const uploads = new Set(parts.flatMap((part) => part.uploads ?? []));
  const isUpload = ({ req }: Context<AppEnv>) => req.method === 'POST' && uploads.has(req.path);
  const guard = gate({ publicUrl, isElsewhere, isUpload, refusals: metrics.gateRefusals });
  app.use('/api/*', guard);
  app.use('/api/*', warnOfProxies(core.log, trustedProxies));
  app.use('/api/*', visitors({ sessions, subjects, limits, sessionCookie: sessionCookieName(publicUrl) }));
  const hint = async (ticketId: string) => {
    for (const part of parts) part.onHint?.(ticketId);
    await live.hint(ticketId);
  };
  const refuseLarge = () => {
    throw new AppError('payload_too_large');
  };
  const limitBody = bodyLimit({ maxSize: maxBodyBytes, onError: refuseLarge });
  // Hono's limit copies the whole request, which takes longer than reading most bodies. Node itself ends a body at
  // its Content-Length.
  const isKnownSmall = ({ req }: Context) =>
    !req.header('transfer-encoding') && Number(req.header('content-length')) <= maxBodyBytes;
  app.use('/api/*', (c, next) =>
    c.req.method === 'GET' || isUpload(c) || isKnownSmall(c) ? next() : limitBody(c, next),
  );

  if (hasPlayground) app.route('/', playgroundRoutes(assets));
  if (clientOrigins.length > 0) app.route('/', headlessRoutes(assets, clientOrigins, ownSource(publicUrl)));
  for (const part of parts)
    for (const [path, routes] of Object.entries(part.routes?.({ guard, bestLanguage }) ?? {}))
      app.route(path, routes);
  // The addresses in the document are relative to a folder.
  for (const folder of [base, sitePath])
    if (folder) app.get(folder, (c) => c.redirect(`${publicUrl}/${new URL(c.req.url).search}`, 308));
  const ancestors = hasPlayground ? [...allowedOrigins, "'self'"] : allowedOrigins;
  return app
    .route(
      '/',
      assetRoutes(
        assets,
        {
          ancestors,
          logo: brandLogo,
          own: ownSource(publicUrl),
          sources: parts.flatMap(({ sources }) => sources ?? []),
        },
        core.scripts.find,
        documentOf,
      ),
    )
    .route('/', hoursRoutes(hoursScript))
    .route(paths.session, sessionRoutes(core.signIn))
    .route(accountPaths.handoff, handoffRoutes(core.handoff))
    .route(accountPaths.data, dataRoutes(core.ownData))
    .route(accountPaths.devices, deviceRoutes(core.ownData))
    .route(paths.tickets, ticketRoutes(core.tickets, bestLanguage))
    .route(paths.operations, operationRoutes(core.tickets))
    .route(paths.events, eventRoutes(core.tickets))
    .route(paths.hooks, hookRoutes({ secrets: webhookSecrets, limits, hint }));
}
