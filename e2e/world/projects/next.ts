import type { Project } from '../project.ts';
import { recipe } from '../recipes.ts';
import { jsxDialog } from './dialog.ts';

const page = (title: string, rest = '') => `import Link from 'next/link';
export default function Page() {
  return <main><h1>${title}</h1><Link href="/second">Second page</Link>${rest}</main>;
}`;

/** The policy of Next's guide, with what docs/embedding.md adds. */
const proxy = (bff: string) => `import { NextRequest, NextResponse } from 'next/server';
export function proxy(request: NextRequest) {
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64');
  const policy = [
    "default-src 'self'",
    \`script-src 'self' 'nonce-\${nonce}' 'strict-dynamic'\`,
    \`style-src 'self' 'nonce-\${nonce}'\`,
    "img-src 'self' blob: data:",
    "object-src 'none'",
    'frame-src ${bff}',
  ].join('; ');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('Content-Security-Policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  return response;
}
export const config = { matcher: '/((?!_next/static|_next/image|favicon.ico).*)' };`;

const layout = (isDynamic: boolean) => `import { connection } from 'next/server';
import { Support } from './support';
export default async function RootLayout({ children }: LayoutProps<'/'>) {
  ${isDynamic ? 'await connection();' : 'void connection;'}
  return <html lang="en"><body>{children}<Support /></body></html>;
}`;

const starter = (router: string) =>
  `create-next-app@16 {name} --ts ${router} --no-linter --no-tailwind --no-src-dir --import-alias '@/*' --use-npm --disable-git --no-react-compiler --yes`;
const build = { build: 'next build', serve: 'next start --port {port}', packages: [] };

const appRouter = async (bff: string, isDynamic: boolean) => ({
  'app/support.tsx': await recipe('Next.js', 'tsx', bff),
  'app/layout.tsx': layout(isDynamic),
  'app/page.tsx': page('A shop', jsxDialog),
  'app/second/page.tsx': page('The second page', jsxDialog),
});

export const next: Project[] = [
  {
    ...build,
    name: 'next',
    starter: starter('--app'),
    files: (bff) => appRouter(bff, false),
    hosts: [
      {
        name: 'Next.js, App Router',
        version: 'next',
        recipe: 'Next.js',
        path: '/',
        note: 'with `cacheComponents`, as its starter has it',
      },
    ],
  },
  {
    ...build,
    name: 'next-nonce',
    starter: starter('--app'),
    files: async (bff) => ({
      ...(await appRouter(bff, true)),
      'next.config.ts': 'export default {};',
      'proxy.ts': proxy(bff),
    }),
    hosts: [
      {
        name: 'Next.js, App Router, nonce',
        version: 'next',
        recipe: 'Next.js',
        path: '/',
        note: 'the policy of its own guide, which excludes `cacheComponents`',
      },
    ],
  },
  {
    ...build,
    name: 'next-pages',
    starter: starter('--no-app'),
    files: async (bff) => ({
      'support.tsx': await recipe('Next.js', 'tsx', bff),
      'pages/_app.tsx': `import type { AppProps } from 'next/app';
import { Support } from '../support';
export default function App({ Component, pageProps }: AppProps) {
  return <><Component {...pageProps} /><Support /></>;
}`,
      'pages/index.tsx': page('A shop', jsxDialog),
      'pages/second.tsx': page('The second page', jsxDialog),
    }),
    hosts: [{ name: 'Next.js, Pages Router', version: 'next', recipe: 'Next.js', path: '/' }],
  },
];
