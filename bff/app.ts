import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { maxBodyBytes } from './contract/limits.ts';
import { accountPaths } from './contract/account-paths.ts';
import { articlePaths } from './contract/article-paths.ts';
import { paths, unsubscribePath, versionHeader } from './contract/paths.ts';
import type { Deps } from './deps.ts';
import { AppError } from './errors.ts';
import { type Assets, assetRoutes } from './http/files/assets.ts';
import { builtDocuments, type DocumentOf } from './http/files/documents.ts';
import type { AppEnv } from './http/context.ts';
import { answerError } from './http/errors.ts';
import { createLanguageChoice } from './http/language.ts';
import { gate } from './http/gate.ts';
import { headlessRoutes } from './http/files/headless.ts';
import { commonHeaders, withHeaders } from './http/headers.ts';
import { observeRequests } from './http/observe.ts';
import { operatorCheck } from './http/operator-check.ts';
import { playgroundRoutes } from './http/files/playground.ts';
import { warnOfProxy } from './http/proxies.ts';
import { articleRoutes } from './http/routes/articles.ts';
import { eventRoutes } from './http/routes/events.ts';
import { handoffRoutes } from './http/routes/handoff.ts';
import { hookRoutes } from './http/routes/hooks.ts';
import { operationRoutes } from './http/routes/operations.ts';
import { dataRoutes, deviceRoutes } from './http/routes/own-data.ts';
import { sessionRoutes } from './http/routes/session.ts';
import { ticketRoutes } from './http/routes/tickets.ts';
import { traceRequests } from './http/trace.ts';
import { unsubscribeRoutes } from './http/routes/unsubscribe.ts';
import { countRequests, visitors } from './http/visitor.ts';
import { noTracer } from './tracing/tracer.ts';

/**
 * The public port: the widget's files, and the API behind the gate.
 * @param documentOf gives the app's document of a language
 */
export function createApp(deps: Deps, assets: Assets, documentOf: DocumentOf = builtDocuments(assets)) {
  const { sessions, subjects, limits, live, notices, metrics, tracer } = deps;
  const {
    publicUrl,
    webhookSecrets,
    trustedProxies,
    allowedOrigins,
    clientOrigins,
    brandLogo,
    hasPlayground,
  } = deps.config;
  const bestLanguage = createLanguageChoice(assets.manifest.languages);
  const app = new Hono<AppEnv>();
  app.onError(answerError);
  app.notFound((c) => answerError(new AppError('not_found'), c));
  app.use(observeRequests({ log: deps.log, metrics, headers: commonHeaders(publicUrl) }));
  if (tracer !== noTracer) app.use(traceRequests({ tracer, isBehindProxy: trustedProxies > 0 }));
  if (trustedProxies === 0) app.use(warnOfProxy(deps.log));
  app.use(countRequests({ limits, trustedProxies }));

  app.use('/api/*', withHeaders({ [versionHeader]: assets.manifest.version }));
  app.use('/api/*', operatorCheck({ hash: deps.seal.hash, now: deps.now, trustedProxies }));
  const guard = gate({ publicUrl, refusals: metrics.gateRefusals });
  app.use('/api/*', guard);
  app.use('/api/*', visitors({ sessions, subjects, limits }));
  const hint = async (ticketId: string) => {
    notices.hint(ticketId);
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
  app.use('/api/*', (c, next) => (c.req.method === 'GET' || isKnownSmall(c) ? next() : limitBody(c, next)));

  if (hasPlayground) app.route('/', playgroundRoutes(assets));
  if (clientOrigins.length > 0) app.route('/', headlessRoutes(assets, clientOrigins));
  if (deps.articles) app.route(articlePaths.current, articleRoutes({ useCases: deps.articles, guard }));
  const ancestors = hasPlayground ? [...allowedOrigins, "'self'"] : allowedOrigins;
  return app
    .route('/', assetRoutes(assets, { ancestors, logo: brandLogo }, deps.scripts.find, documentOf))
    .route(paths.session, sessionRoutes(deps.signIn))
    .route(accountPaths.handoff, handoffRoutes(deps.handoff))
    .route(accountPaths.data, dataRoutes(deps.ownData))
    .route(accountPaths.devices, deviceRoutes(deps.ownData))
    .route(paths.tickets, ticketRoutes(deps.tickets, bestLanguage))
    .route(paths.operations, operationRoutes(deps.tickets))
    .route(paths.events, eventRoutes(deps.tickets))
    .route(paths.hooks, hookRoutes({ secrets: webhookSecrets, limits, hint }))
    .route(unsubscribePath, unsubscribeRoutes({ unsubscribe: deps.unsubscribe, bestLanguage, limits }));
}
