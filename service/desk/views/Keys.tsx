/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { ApiKey } from '../../keys/keys.ts';
import { maxLength } from '../../tickets/model.ts';
import { sentences } from '../sentences/sentences.ts';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { Ago, Empty, Fault, ShownOnce } from './parts.tsx';

const texts = sentences.keys;

interface Props {
  agent: Agent;
  now: Date;
  keys: ApiKey[];
  /** A key that was just created. */
  created?: string | undefined;
  fault?: string | undefined;
  notice?: NoticeName | undefined;
}

export function Keys({ agent, now, keys, created, fault, notice }: Props) {
  return (
    <Page title={sentences.sections.keys} section="keys" agent={agent} notice={notice}>
      <div class="head">
        <h1>{sentences.sections.keys}</h1>
      </div>
      <p class="lead">{texts.lead}</p>
      {created === undefined ? null : <ShownOnce {...texts.created} secret={created} />}
      <form class="card line" method="post" action="/desk/keys">
        <label htmlFor="label">{texts.label}</label>
        <input
          id="label"
          name="label"
          required
          maxlength={maxLength.label}
          placeholder={texts.labelHint}
          aria-describedby={fault ? 'label-fault' : undefined}
        />
        <button type="submit">{texts.create}</button>
        <Fault id="label-fault" text={fault} />
      </form>
      {keys.length === 0 ? (
        <Empty {...texts.none} />
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
  const created = <Ago at={apiKey.created_at} now={now} />;
  return (
    <li class={apiKey.revoked_at === null ? undefined : 'off'}>
      <span class="person">
        <strong>{apiKey.label}</strong>
        <code>dsk_…{apiKey.hint}</code>
      </span>
      <span class="facts">
        {apiKey.last_used_at === null
          ? texts.factsUnused(created)
          : texts.factsUsed(created, <Ago at={apiKey.last_used_at} now={now} />)}
      </span>
      {apiKey.revoked_at === null ? (
        <form method="get" action={`/desk/keys/${apiKey.id}/revoke`}>
          <button class="plain danger" type="submit" aria-label={texts.revoke.named(apiKey.label)}>
            {texts.revoke.label}
          </button>
        </form>
      ) : (
        <span class="status status-closed">{texts.revoked}</span>
      )}
    </li>
  );
}
