/** @jsxImportSource hono/jsx */
import { sentences } from '../sentences/sentences.ts';
import { Document } from './Page.tsx';
import { Fault } from './parts.tsx';

const texts = sentences.signIn;

export function SignIn({ email = '', fault }: { email?: string; fault?: string }) {
  return (
    <Document title={`${texts.title} · ${sentences.desk}`}>
      <main class="alone">
        <form class="card stack" method="post" action="/desk/sign-in">
          <h1>{sentences.desk}</h1>
          <Fault id="sign-in-fault" text={fault} />
          <label>
            {texts.email}
            <input
              type="email"
              name="email"
              value={email}
              autocomplete="username"
              required
              autofocus={email === ''}
              aria-describedby={fault ? 'sign-in-fault' : undefined}
            />
          </label>
          <label>
            {texts.password}
            <input
              type="password"
              name="password"
              autocomplete="current-password"
              required
              autofocus={email !== ''}
            />
          </label>
          <button type="submit">{texts.submit}</button>
        </form>
      </main>
    </Document>
  );
}
