/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { ApiKey } from '../../keys/keys.ts';
import { maxLength } from '../../tickets/model.ts';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { Ago, Empty, Fault, ShownOnce } from './parts.tsx';

interface Props {
  agent: Agent;
  now: Date;
  keys: ApiKey[];
  /** A key just made. */
  created?: string | undefined;
  fault?: string | undefined;
  notice?: NoticeName | undefined;
}

export function Keys({ agent, now, keys, created, fault, notice }: Props) {
  return (
    <Page title="API keys" section="API keys" agent={agent} notice={notice}>
      <div class="head">
        <h1>API keys</h1>
      </div>
      <p class="lead">
        A key can read every ticket of this workspace. Keep it on servers, never in a web page. To rotate:
        create a new one, put it in place, then revoke the old one.
      </p>
      {created === undefined ? null : (
        <ShownOnce title="Your new API key" secret={created}>
          Copy it now. Only a hash is stored, so it can never be shown again.
        </ShownOnce>
      )}
      <form class="card line" method="post" action="/desk/keys">
        <label htmlFor="label">Label</label>
        <input
          id="label"
          name="label"
          required
          maxlength={maxLength.label}
          placeholder="Where it will be used"
          aria-describedby={fault ? 'label-fault' : undefined}
        />
        <button type="submit">Create key</button>
        <Fault id="label-fault" text={fault} />
      </form>
      {keys.length === 0 ? (
        <Empty title="No keys">Create one to connect a website.</Empty>
      ) : (
        <ul class="rows keys">
          {keys.map((key) => (
            <Row apiKey={key} now={now} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Row({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  return (
    <li class={apiKey.revoked_at === null ? undefined : 'off'}>
      <span class="person">
        <strong>{apiKey.label}</strong>
        <code>dsk_…{apiKey.hint}</code>
      </span>
      <span class="facts">
        Created <Ago at={apiKey.created_at} now={now} />
        {apiKey.last_used_at === null ? (
          ', never used'
        ) : (
          <>
            , used <Ago at={apiKey.last_used_at} now={now} />
          </>
        )}
      </span>
      {apiKey.revoked_at === null ? (
        <form method="get" action={`/desk/keys/${apiKey.id}/revoke`}>
          <button class="plain danger" type="submit" aria-label={`Revoke ${apiKey.label}`}>
            Revoke
          </button>
        </form>
      ) : (
        <span class="status status-closed">revoked</span>
      )}
    </li>
  );
}
