import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type { Counter } from 'prom-client';
import { fileNameHeader } from '../../../shared/contract/files.ts';
import { AppError } from '../../core/errors.ts';
import { answer } from '../../core/http/answer.ts';
import { liftBodyTime } from '../../core/http/body-time.ts';
import type { AppContext, AppEnv } from '../../core/http/context.ts';
import { setHeaders } from '../../core/http/headers.ts';
import { readIdempotencyKey } from '../../core/http/validate.ts';
import type { NewSession } from '../../core/identity/sessions.ts';
import { limitHeaders, type Spend } from '../../core/limits/limits.ts';
import type { Visitor } from '../../core/use-cases/visitor.ts';
import type { Core } from '../../core/wiring.ts';
import type { createDaily } from './daily.ts';
import { isShown, servedType } from './kinds.ts';
import type { Links } from './links.ts';
import { dispositionOf } from './names.ts';
import type { createSlots } from './slots.ts';
import { hasTag, rangeIn } from './ranges.ts';
import type { Rows } from './rows.ts';
import { type FileStore, StoreAway } from './store.ts';
import { arriving, type Uploads } from './upload.ts';

/* The two routes of files over HTTP: one takes them from customers, the other answers their links. */

const maxNameBytes = 4_096;

function nameIn(c: AppContext): string {
  const given = c.req.header(fileNameHeader) ?? '';
  const refusal = (fault: 'required' | 'invalid') =>
    new AppError('invalid_request', { fields: { [fileNameHeader]: fault } });
  if (given === '') throw refusal('required');
  if (given.length > maxNameBytes) throw refusal('invalid');
  try {
    return decodeURIComponent(given);
  } catch {
    throw refusal('invalid');
  }
}

/** The bytes as they come, without the copy that a web stream would make. Tests send no bytes over a network. */
function bodyOf(c: AppContext): Readable {
  const incoming = c.env?.incoming;
  if (incoming) return incoming;
  const { body } = c.req.raw;
  return Readable.from(body ?? []);
}

/** A refused upload keeps its slot for so long. */
const discardTimes = { stallMs: 5_000, uploadMs: 30_000 };

/** Browsers read no answer while they send. So a refusal waits until what is on its way is there. */
async function discard(body: Readable, maxBytes: number): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of arriving(body, discardTimes)) {
      bytes += chunk.length;
      if (bytes > maxBytes) return;
    }
  } catch {
    // The client is gone, or has read the answer.
  }
}

/** `POST /api/files`. */
export function uploadRoutes(deps: {
  core: Pick<Core, 'limits' | 'sessions' | 'subjects'>;
  uploads: Uploads;
  daily: ReturnType<typeof createDaily>;
  slots: ReturnType<typeof createSlots>;
  maxBytes: number;
}) {
  const { core, uploads, daily, slots, maxBytes } = deps;
  const { limits, sessions, subjects } = core;

  /** A visitor without a session gets one for the first file, as for a first ticket. */
  async function beginSession({ isBearer }: Visitor): Promise<NewSession> {
    return sessions.issue(await subjects.create({ email: '', name: null }), { isSignedIn: false, isBearer });
  }

  async function endSession({ session }: NewSession): Promise<void> {
    await sessions.end(session.id);
    await subjects.removeUnused(session.subjectId);
  }

  async function admit(visitor: Visitor): Promise<void> {
    const { session, address } = visitor;
    const spends: Spend[] = [
      { policy: 'files-ip', key: address },
      session ? { policy: 'files-session', key: session.subjectId } : { policy: 'sessions-ip', key: address },
    ];
    visitor.onLimits(await limits.take(spends));
    if (!daily.hasRoomFor(address)) throw new AppError('rate_limited', { retryAfterSec: 3_600 });
    if (!(await daily.hasRoom())) throw new AppError('overloaded', { retryAfterSec: 3_600 });
  }

  return new Hono<AppEnv>().post('/', async (c) => {
    const visitor = c.get('visitor');
    const name = nameIn(c);
    const key = readIdempotencyKey(c);
    // The client need not send it first.
    if (Number(c.req.header('Content-Length')) > maxBytes) throw new AppError('payload_too_large');
    const leave = slots.take(visitor.address);
    let issued: NewSession | null = null;
    try {
      liftBodyTime(c.env?.incoming);
      const body = bodyOf(c);
      try {
        await admit(visitor);
        const known = visitor.session && (await uploads.known(visitor.session.subjectId, key));
        if (known) {
          await discard(body, maxBytes);
          return answer(c, known, { status: 201 });
        }
        // A new session would take the place of the one that the browser has, or hide that it has ended.
        if (visitor.isStale) throw new AppError('unauthenticated');
        issued = visitor.session ? null : await beginSession(visitor);
      } catch (refusal) {
        await discard(body, maxBytes);
        throw refusal;
      }
      const { subjectId } = visitor.session ?? issued!.session;
      const uploaded = await uploads.take({ subjectId, key, name, body });
      daily.add(uploaded.size, visitor.address);
      return answer(c, uploaded, { issued, status: 201 });
    } catch (error) {
      if (issued) await endSession(issued).catch(() => {});
      throw error;
    } finally {
      leave();
    }
  });
}

/*
 * SECURITY: what customers send must not act as a page of this host. It is shown only as a picture or a PDF, whose type is
 * told by its content and not guessed again (`nosniff` is on every answer), and never runs anything. A viewer for PDF
 * cannot run in a sandbox; it has one of its own.
 */
const pictureRules =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
const pdfRules = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'";
const always = {
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
  // Each time a client asks whether it is still there, so that a link ends at once. No proxy keeps it.
  'Cache-Control': 'private, no-cache',
  // The desks of agents, which are on other hosts, show pictures in place.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // The app asks whether a file is still there, also where files have a host of their own.
  'Access-Control-Allow-Origin': '*',
  'Accept-Ranges': 'bytes',
};

const isToken = /^[\w-]{22}$/;

/** `GET /f/{token}/{name}`: for whoever has the link, since agents have no session here. */
export function linkRoutes(deps: {
  limits: Core['limits'];
  links: Links;
  rows: Rows;
  files: FileStore;
  opened: Counter<'answer'>;
  onStoreAway: (error: unknown) => void;
  onMissing: () => void;
}) {
  const { limits, links, rows, files, opened } = deps;

  async function refuse(c: AppContext): Promise<never> {
    opened.inc({ answer: 'not_found' });
    // Only these are counted, since an office of agents opens many files.
    setHeaders(c, limitHeaders(await limits.take([{ policy: 'file-links-ip', key: c.get('address') }])));
    throw new AppError('not_found');
  }

  const openFile = (...given: Parameters<FileStore['open']>) =>
    files.open(...given).catch((error: unknown) => {
      if (!(error instanceof StoreAway)) throw error;
      deps.onStoreAway(error);
      throw new AppError('overloaded');
    });

  return new Hono<AppEnv>().get('/:token/:name', async (c) => {
    setHeaders(c, always);
    const token = c.req.param('token');
    // SECURITY: the hash is looked up, so the time of the answer says nothing about a token.
    const file = isToken.test(token) ? await rows.byLink(links.hashOf(token)) : undefined;
    if (!file) return refuse(c);
    const { id, size, type } = file;
    const hasPixels = file.width !== null;
    const tag = `"${file.sha256}"`;
    const shown = isShown(type, hasPixels);
    setHeaders(c, {
      ETag: tag,
      'Content-Type': servedType(type, hasPixels),
      'Content-Disposition': dispositionOf(file.name, shown),
      'Content-Security-Policy': shown && type === 'application/pdf' ? pdfRules : pictureRules,
    });
    if (hasTag(c.req.header('If-None-Match'), tag)) {
      opened.inc({ answer: 'unchanged' });
      return c.body(null, 304);
    }
    const condition = c.req.header('If-Range');
    const range =
      condition === undefined || condition === tag ? rangeIn(c.req.header('Range'), size) : undefined;
    if (range === null) {
      setHeaders(c, { 'Content-Range': `bytes */${size}` });
      return c.body(null, 416);
    }
    const { first, last } = range ?? { first: 0, last: size - 1 };
    setHeaders(c, {
      'Content-Length': String(last - first + 1),
      ...(range && { 'Content-Range': `bytes ${first}-${last}/${size}` }),
    });
    const status = range ? 206 : 200;
    if (c.req.method === 'HEAD') return c.body(null, status);
    const stream = await openFile(id, range);
    if (!stream) {
      deps.onMissing();
      return refuse(c);
    }
    opened.inc({ answer: 'opened' });
    return c.body(Readable.toWeb(stream) as ReadableStream, status);
  });
}
