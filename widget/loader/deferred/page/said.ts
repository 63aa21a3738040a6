import type { Attributes } from '../../../../shared/contract/attributes.ts';
import type { Prefill } from '../../../bridge/messages.ts';
import type { Call } from '../../api.ts';
import type { Core } from '../../deferred.ts';
import { readLink, type Texts } from './link.ts';
import { readContext, readPrefill } from './mistakes.ts';

/** What the page has said of its customer and their case. */
export interface Said {
  /** Values of all `prefill`s. Subject and description are emptied once a ticket was sent. */
  fields: Prefill | undefined;
  /** Attributes of `context`. */
  attributes: Attributes;
}

/**
 * Reads and checks the page's calls, those that have waited for this script too. Each is read before the core carries it
 * out.
 */
export function createSaid({ calls, commands }: Core, check: (call: Call) => void): Said {
  const none: Said = { fields: undefined, attributes: {} };
  const said = { ...none };
  function follow(texts: Texts): void {
    const hasText = Object.values(texts).some(Boolean);
    if (hasText) {
      said.fields = { ...said.fields, ...texts };
      commands.prefill();
    }
    commands.open(hasText ? { view: 'new' } : undefined);
  }
  function read(call: Call): void {
    const [name, first] = call;
    const texts = readLink(name);
    if (texts) return follow(texts);
    check(call);
    if (name === 'logout') Object.assign(said, none);
    if (name === 'prefill') said.fields = { ...said.fields, ...readPrefill(first) };
    if (name === 'context') said.attributes = readContext(first);
    if (name === 'invite') commands.update({ invite: (first as string | null) ?? '', inviteAfter: 0 });
  }
  calls.splice(0).forEach(read);
  calls.push = (...later) => {
    later.forEach(read);
    return 0;
  };
  return said;
}
