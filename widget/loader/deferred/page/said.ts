import type { Attributes } from '../../../../shared/contract/attributes.ts';
import type { Prefill } from '../../../bridge/messages.ts';
import type { Call } from '../../api.ts';
import type { Core } from '../../deferred.ts';
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
  function read(call: Call): void {
    check(call);
    const [name, first] = call;
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
