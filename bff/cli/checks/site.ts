import { admits } from '../../../shared/contract/origins.ts';
import { explainConnection } from '../../core/connection-errors.ts';
import { type Check, type CheckContext, fail, ok, once, warn } from '../../core/operator/check.ts';
import { errorCode } from '../../core/v1/failure.ts';
import { type Answer, ask, headerOf } from '../ask.ts';
import { refusingDirective } from '../csp.ts';

/*
 * Looks at a page of the site as a browser would, without running its scripts: whether the tag is there, and whether
 * the page lets it work. It knows the HTML and the headers of one page, and no other.
 */

type Attributes = Readonly<Record<string, string>>;

interface Page {
  url: URL;
  answer: Answer;
  /** The attributes of its scripts, in order. */
  scripts: Attributes[];
  /** Its Content-Security-Policies, of headers and of the HTML. */
  policies: string[];
}

const maxRedirects = 5;
/** As a browser says it: some sites answer others with another page. */
const browserHeaders = { accept: 'text/html,*/*;q=0.8', 'user-agent': 'Mozilla/5.0 (deskside check)' };

async function load(address: string, timeoutMs: number): Promise<Page> {
  let url = new URL(address);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await ask(url.href, { headers: browserHeaders, timeoutMs });
    const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'location') : '';
    if (!location || redirects === maxRedirects) return { url, answer, ...(await read(answer)) };
    url = new URL(location, url);
  }
}

async function read(answer: Answer): Promise<Pick<Page, 'scripts' | 'policies'>> {
  // Loaded only here, because the server does not need it.
  const { Parser } = await import('htmlparser2');
  const scripts: Attributes[] = [];
  const policies = headerOf(answer, 'content-security-policy').split(',').filter(Boolean);
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script') scripts.push(attributes);
      const { content = '' } = attributes;
      if (name === 'meta' && /^content-security-policy$/i.test(attributes['http-equiv'] ?? ''))
        policies.push(content);
    },
  });
  parser.end(answer.text);
  return { scripts, policies };
}

/** Programs that add tags to a page, by the hosts of their scripts. */
const tagManagers =
  /googletagmanager\.com|tags\.tiqcdn\.com|cdn\.segment\.com|assets\.adobedtm\.com|matomo\.cloud/;
/** Other widgets with a launcher in a corner of the page. */
const otherWidgets =
  /intercom\.io|intercomcdn\.com|crisp\.chat|tawk\.to|zdassets\.com|hs-scripts\.com|livechatinc\.com|jivosite\.com|driftt\.com|tidio\.co|userlike|chatwoot|freshchat\.com|gorgias\.chat|olark\.com|smartsupp/;
const runs = ({ type = '' }: Attributes) =>
  /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type.trim());

/** Checks the page of the site that the operator names; without one there are no such checks. */
export function siteChecks({ config, patienceMs, site }: CheckContext): Check[] {
  if (site === null) return [];
  const page = once(() => load(site, patienceMs));
  const isOurs = (text: string, { href: base }: URL) => {
    if (!URL.canParse(text, base)) return false;
    const { origin, pathname } = new URL(text, base);
    return `${origin}${pathname}`.startsWith(`${config().publicUrl}/widget`) && pathname.endsWith('.js');
  };
  /** The scripts that are, or would be, the tag: consent managers and optimizers move its address to other attributes. */
  const tagsOf = ({ scripts, url }: Page) =>
    scripts.filter((attributes) => Object.values(attributes).some((value) => value && isOurs(value, url)));
  const isLive = (tag: Attributes, { url }: Page) => runs(tag) && isOurs(tag['src'] ?? '', url);

  const check = (name: string, fix: string, run: (page: Page) => ReturnType<Check['run']>): Check => ({
    name,
    needs: ['site-page'],
    fix,
    run: async () => run(await page()),
  });

  return [
    {
      name: 'site-page',
      needs: ['configuration'],
      fix: 'Name the address of a page that visitors see without signing in.',
      async run() {
        if (!URL.canParse(site) || !/^https?:/.test(site))
          return fail('--site takes an http or https address');
        try {
          const { answer, url } = await page();
          const isHtml = headerOf(answer, 'content-type').includes('html');
          if (answer.status !== 200 || !isHtml)
            return fail(`${url.href} answers ${answer.status}, or no HTML`);
          return ok(`${url.href} answers`);
        } catch (error) {
          return fail(`no answer: ${explainConnection(error) ?? errorCode(error)}`);
        }
      },
    },
    check('site-origin', 'Add the origin of the page to ALLOWED_ORIGINS.', ({ url }) =>
      admits(config().allowedOrigins, url.origin)
        ? ok(`${url.origin} may show the widget`)
        : fail(`${url.origin} is not among ALLOWED_ORIGINS, so browsers do not show the frame there`),
    ),
    check('site-tag', 'Put the tag that deskside snippet prints before the end of the body.', (found) => {
      const tags = tagsOf(found);
      const live = tags.filter((tag) => isLive(tag, found));
      if (live.length > 1)
        return warn(`${live.length} tags are in the page, and the first counts`, 'Remove all but one.');
      if (live.length === 1) return ok('the tag is in the page');
      if (tags.length > 0)
        return warn(
          `the tag is held back${tags[0]!['type'] ? ` (type="${tags[0]!['type']}")` : ''}, by a consent manager or an optimizer`,
          'Customers see no launcher before it runs. Nothing is stored before a customer acts (docs/privacy.md), so the tag may run without consent.',
        );
      const manager = found.scripts.some(({ src = '' }) => tagManagers.test(src));
      return manager
        ? warn('the tag is not in the HTML: a tag manager of the page may add it')
        : warn('the tag is not in the HTML: a script of the site may add it');
    }),
    check(
      'site-mixed',
      'Set PUBLIC_URL to an https address: browsers load nothing by http in a page of https.',
      ({ url }) =>
        url.protocol === 'https:' && config().publicUrl.startsWith('http:')
          ? fail('the page is https, and PUBLIC_URL is http')
          : ok('nothing is loaded by http in a page of https'),
    ),
    check(
      'site-policy',
      'Extend the Content-Security-Policy of the site, as docs/embedding.md says.',
      (found) => {
        const { url, policies } = found;
        const { nonce } = tagsOf(found)[0] ?? {};
        const refused = (['script', 'frame'] as const).flatMap((kind) => {
          const address = new URL(config().publicUrl + (kind === 'script' ? '/widget.js' : '/frame'));
          const wish = { kind, url: address, self: url.origin, nonce };
          return policies.flatMap((policy) => {
            const directive = refusingDirective(policy, wish);
            return directive ? `${directive} refuses the ${kind}` : [];
          });
        });
        if (refused.length > 0) return fail(refused.join(', '));
        return ok(
          policies.length === 0
            ? 'the page has no Content-Security-Policy'
            : 'its policy lets the widget work',
        );
      },
    ),
    check(
      'site-isolation',
      'Let the proxy keep Cross-Origin-Embedder-Policy and Cross-Origin-Resource-Policy of the answers of the BFF.',
      async ({ answer }) => {
        if (!/require-corp|credentialless/.test(headerOf(answer, 'cross-origin-embedder-policy')))
          return ok('the page is not cross-origin isolated');
        const frame = await ask(`${config().publicUrl}/frame?isolated`, { timeoutMs: patienceMs });
        const names = ['cross-origin-embedder-policy', 'cross-origin-resource-policy'];
        const lost = names.filter((name) => headerOf(frame, name) === '');
        return lost.length === 0
          ? ok('the page is cross-origin isolated, and the frame may be in it')
          : fail(`the page is cross-origin isolated, and the frame comes without ${lost.join(' and ')}`);
      },
    ),
    check(
      'site-neighbours',
      'Put our launcher elsewhere with data-position or data-offset, or remove the other widget.',
      ({ scripts }) => {
        const other = scripts.flatMap(({ src = '' }) => otherWidgets.exec(src)?.[0] ?? []);
        return other.length > 0
          ? warn(
              `another widget is in the page, and its launcher may cover ours: ${[...new Set(other)].join(', ')}`,
            )
          : ok('no other widget was found');
      },
    ),
  ];
}
