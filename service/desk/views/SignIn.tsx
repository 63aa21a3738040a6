/** @jsxImportSource hono/jsx */
import { Document } from './Page.tsx';
import { Fault } from './parts.tsx';

export function SignIn({ email = '', fault }: { email?: string; fault?: string }) {
  return (
    <Document title="Sign in · Support desk">
      <main class="alone">
        <form class="card stack" method="post" action="/desk/sign-in">
          <h1>Support desk</h1>
          <Fault id="sign-in-fault" text={fault} />
          <label>
            Email
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
            Password
            <input
              type="password"
              name="password"
              autocomplete="current-password"
              required
              autofocus={email !== ''}
            />
          </label>
          <button type="submit">Sign in</button>
        </form>
      </main>
    </Document>
  );
}
