import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, type ErrorEnvelope, errorStatus } from '../../../shared/contract/errors.ts';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths, versionHeader } from '../../../shared/contract/paths.ts';
import { explainConnection } from '../../core/connection-errors.ts';
import { errorCode } from '../../core/v1/failure.ts';
import { type Answer, ask, frameHeaders, headerOf, jsonOf } from '../ask.ts';
import { type Check, type CheckContext, fail, ok, once, warn } from '../../core/operator/check.ts';

/** Requests that the BFF refuses for different reasons. None changes anything. */
const refused: [ErrorCode, string, Parameters<typeof ask>[1]['method'], Record<string, string>, string?][] = [
  ['not_found', '/api/check', 'GET', frameHeaders],
  ['unauthenticated', paths.tickets, 'GET', frameHeaders],
  ['forbidden_origin', paths.session, 'GET', {}],
  [
    'unsupported_media_type',
    accountPaths.code,
    'POST',
    { ...frameHeaders, 'content-type': 'text/plain' },
    'x',
  ],
];

const describe = ({ status, headers }: Answer) =>
  [`status ${status}`, headerOf({ headers }, 'content-type')].filter(Boolean).join(' ');

/** Checks what browsers get at `PUBLIC_URL` without a session. */
export function publicChecks({ config, patienceMs, build }: CheckContext): Check[] {
  const { version, widgetDir } = build;
  const at = (path: string) => config().publicUrl + path;
  const script = once(() => ask(at('/widget.js'), { timeoutMs: patienceMs }));
  const session = once(() => ask(at(paths.session), { headers: frameHeaders, timeoutMs: patienceMs }));

  return [
    {
      name: 'public-reachable',
      needs: ['public-url'],
      fix: 'Start the BFF and the proxy before it; check that the name in PUBLIC_URL leads to the proxy, that its certificate is valid (NODE_EXTRA_CA_CERTS names the file of an authority of your own), and that firewalls let it through.',
      async run() {
        try {
          const { status, headers } = await script();
          const location = headerOf({ headers }, 'location');
          if (status >= 300 && status < 400)
            return fail(`it redirects to ${location}`, 'Set PUBLIC_URL to the address that it redirects to.');
          return status === 502 || status === 503 || status === 504
            ? fail(
                `a proxy answers ${status}`,
                'Start the BFF, and let the proxy pass requests to HOST and PORT. While /readyz answers 503, its health checks may keep it from doing so.',
              )
            : ok(`${config().publicUrl} answers`);
        } catch (error) {
          return fail(`no answer: ${explainConnection(error) ?? errorCode(error)}`);
        }
      },
    },
    {
      name: 'public-app',
      needs: ['public-reachable'],
      fix: 'Another application answers at PUBLIC_URL. Let the proxy pass every path of that host to the BFF, unchanged.',
      async run() {
        const answer = await session();
        const running = headerOf(answer, versionHeader.toLowerCase());
        if (!running) return fail(`${paths.session} answers ${describe(answer)}`);
        return running === version
          ? ok(`version ${running} answers`)
          : warn(
              `version ${running} answers, and this is ${version}`,
              'Restart the BFF, if it should be of this version.',
            );
      },
    },
    {
      name: 'public-gate',
      needs: ['public-app'],
      fix: 'Let the proxy pass the headers X-Deskside, Sec-Fetch-Site and Origin on as they are.',
      async run() {
        const answer = await session();
        if (answer.status !== 200) return fail(`${paths.session} answers ${describe(answer)}`);
        const { 'sec-fetch-site': _, ...headers } = frameHeaders;
        const origin = new URL(config().publicUrl).origin;
        const old = await ask(at(paths.session), { headers: { ...headers, origin }, timeoutMs: patienceMs });
        return old.status === 200
          ? ok('requests of the frame are let through')
          : fail(
              'a browser that sends no Sec-Fetch-Site is refused',
              'Start the BFF again with this PUBLIC_URL, and let the proxy pass the header Origin on as it is.',
            );
      },
    },
    {
      name: 'public-widget',
      needs: ['public-app'],
      fix: 'Turn off what changes scripts on the way: minifiers, optimizers, challenges to robots. Empty the cache of the proxy.',
      async run() {
        const answer = await script();
        const type = headerOf(answer, 'content-type');
        if (answer.status !== 200 || !/javascript/.test(type))
          return fail(`/widget.js answers ${describe(answer)}`);
        if (!headerOf(answer, 'cross-origin-resource-policy').includes('cross-origin'))
          return fail(
            'the header Cross-Origin-Resource-Policy is lost',
            'Let the proxy pass on all headers of the answers.',
          );
        const file = join(widgetDir, 'widget.js');
        const running = headerOf(await session(), versionHeader.toLowerCase());
        const isOther = running !== version || !existsSync(file);
        return isOther || readFileSync(file, 'utf8') === answer.text
          ? ok('/widget.js arrives')
          : warn('/widget.js is not the one of this build');
      },
    },
    {
      name: 'public-frame',
      needs: ['public-app'],
      fix: 'Let the proxy pass Content-Security-Policy on as it is, and add neither another one nor X-Frame-Options.',
      async run() {
        const answer = await ask(at('/frame'), { timeoutMs: patienceMs });
        if (answer.status !== 200) return fail(`/frame answers ${describe(answer)}`);
        const policies = headerOf(answer, 'content-security-policy').split(',');
        const ancestors = policies.flatMap((text) => /frame-ancestors ([^;,]*)/.exec(text)?.[1] ?? []);
        if (ancestors.length === 0) return fail('frame-ancestors is missing: any site could show the frame');
        const missing = config().allowedOrigins.filter(
          (origin) => !ancestors.every((list) => list.split(' ').includes(origin)),
        );
        if (missing.length > 0)
          return fail(
            `frame-ancestors does not admit ${missing.join(', ')}`,
            'Start the BFF again with these ALLOWED_ORIGINS, and let the proxy pass Content-Security-Policy on as it is.',
          );
        const old = headerOf(answer, 'x-frame-options');
        return old ? fail(`X-Frame-Options: ${old} was added`) : ok('frame-ancestors admits ALLOWED_ORIGINS');
      },
    },
    {
      name: 'public-errors',
      needs: ['public-gate'],
      fix: 'Turn off error pages of the proxy (nginx: proxy_intercept_errors off): the widget needs status and body as the BFF gave them.',
      async run() {
        for (const [code, path, method = 'GET', headers, body] of refused) {
          const answer = await ask(at(path), {
            method,
            headers,
            ...(body && { body }),
            timeoutMs: patienceMs,
          });
          const found = (jsonOf(answer) as Partial<ErrorEnvelope> | null)?.error?.code;
          if (answer.status !== errorStatus[code] || found !== code)
            return fail(`a ${errorStatus[code]} of the BFF arrives as ${describe(answer)}`);
        }
        return ok('errors arrive as the BFF gives them');
      },
    },
  ];
}
