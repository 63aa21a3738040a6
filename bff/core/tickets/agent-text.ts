import type { MessageFile } from '../../../shared/contract/files.ts';
import type { Message } from '../../../shared/contract/tickets.ts';

export interface AgentTextHook {
  /** The files that an agent's text names, and the text without what only names them. Null where it names none. */
  readAgentText?(body: string): { body: string; files: MessageFile[] } | null;
}

/** An agent's text as customers see it, and the files that it names. */
export function splitAgents(parts: readonly AgentTextHook[], body: string): Pick<Message, 'body' | 'files'> {
  for (const part of parts) {
    const found = part.readAgentText?.(body);
    if (found) return found;
  }
  return { body };
}
