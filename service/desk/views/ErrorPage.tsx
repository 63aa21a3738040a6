/** @jsxImportSource hono/jsx */
import { Document } from './Page.tsx';

export function ErrorPage({ title, message }: { title: string; message: string }) {
  return (
    <Document title={`${title} · Support desk`}>
      <main class="alone">
        <div class="card stack">
          <h1>{title}</h1>
          <p>{message}</p>
          <p>
            <a href="/desk">Back to the tickets</a>
          </p>
        </div>
      </main>
    </Document>
  );
}
