import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sizeText, writeLine } from '../../files/lines.ts';
import { percentEncoded } from '../../../shared/text/percent.ts';
import { cleanName } from '../../files/names.ts';
import { TooLarge } from '../../files/store.ts';
import { Problem } from '../../problem.ts';
import { sentences } from '../sentences/sentences.ts';
import { requireAgent, type DeskEnv } from '../session.ts';

const { errors } = sentences;

function readName(header: string | undefined): string {
  try {
    return cleanName(decodeURIComponent(header ?? ''));
  } catch {
    throw new Problem(400, errors.formIncomplete);
  }
}

/** As the browser has seen it; it only reserves room on a screen. */
const pixels = (text: string | undefined) => (text && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null);

/** Takes the files that agents attach; to be mounted under `/files`. The script adds the answer to the agent's text. */
export function attachRoutes(deps: Deps): Hono<DeskEnv> {
  const { files, publicUrl, now } = deps;
  return new Hono<DeskEnv>().post('/', requireAgent(deps), async (c) => {
    const { agent } = c.var;
    const name = readName(c.req.header('x-file-name'));
    const length = Number(c.req.header('content-length') ?? 0);
    const bytes = c.req.raw.body;
    if (!bytes || length === 0) throw new Problem(400, errors.formIncomplete);
    if (length > files.maxBytes) throw new Problem(413, errors.fileTooLarge);
    const owner = { name, workspaceId: agent.workspace_id, agentId: agent.id };
    const kept = await files.keep(owner, Readable.fromWeb(bytes), now()).catch((error) => {
      if (error instanceof TooLarge) throw new Problem(413, errors.fileTooLarge);
      throw error;
    });
    const [width, height] = [pixels(c.req.query('width')), pixels(c.req.query('height'))];
    return c.text(
      writeLine({
        name,
        size: sizeText(kept.size),
        url: `${publicUrl}/f/${kept.token}/${percentEncoded(name)}`,
        ...(kept.type !== null && width && height && { width, height }),
      }),
      201,
    );
  });
}
