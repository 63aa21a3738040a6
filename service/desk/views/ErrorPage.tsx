/** @jsxImportSource hono/jsx */
import { sentences } from '../sentences/sentences.ts';
import { Document } from './Page.tsx';

export function ErrorPage({ title, message }: { title: string; message: string }) {
  return (
    <Document title={`${title} · ${sentences.desk}`}>
      <main class="alone">
        <div class="card stack">
          <h1>{title}</h1>
          <p>{message}</p>
          <p>
            <a href="/desk">{sentences.errors.back}</a>
          </p>
        </div>
      </main>
    </Document>
  );
}
