import type { Diagnosis, FrameMessage } from '../../../bridge/messages.ts';
import type { Check, Report } from '../../api.ts';
import { safeDocument } from '../../dom.ts';
import type { Frame } from '../../frame.ts';
import type { Core } from '../../deferred.ts';
import * as checks from './checks.ts';
import { findLaunchers } from '../page/launchers.ts';
import { iframeOf } from '../panel/panel.ts';

const PATIENCE_MS = 5_000;

/** The self-check: finds what keeps the widget from working on this page. */
export function createDiagnosis({ bff, settings, view, frames, signal }: Core, checkHours: () => Check[]) {
  /** Listeners for messages of the panel's frame, while a check waits for one. */
  const waiting = new Set<(message: FrameMessage) => void>();
  let frameVersion: string | undefined;

  /** The next message of a type; null when it does not come in 5 seconds, or `until` aborts. */
  function next<Type extends FrameMessage['type']>(type: Type, until: AbortSignal) {
    return new Promise<Extract<FrameMessage, { type: Type }> | null>((resolve) => {
      const end = (message: FrameMessage | null) => {
        waiting.delete(listener);
        clearTimeout(timer);
        resolve(message as Extract<FrameMessage, { type: Type }> | null);
      };
      const listener = (message: FrameMessage) => message.type === type && end(message);
      const timer = setTimeout(() => end(null), PATIENCE_MS);
      until.addEventListener('abort', () => end(null));
      waiting.add(listener);
    });
  }

  async function run(): Promise<Report> {
    const panel = frames[0]!;
    const blocked: SecurityPolicyViolationEvent[] = [];
    let isKeptFromAsking = false;
    const refused = new AbortController();
    const end = new AbortController();
    signal.addEventListener('abort', () => {
      refused.abort();
      end.abort();
    });
    const until = refused.signal;
    safeDocument.addEventListener(
      'securitypolicyviolation',
      (event) => {
        if (!event.blockedURI.startsWith(new URL(bff).origin)) return;
        // Only this check makes requests from the page itself: the widget needs no `connect-src`.
        if (event.effectiveDirective === 'connect-src') isKeptFromAsking = true;
        else blocked.push(event);
        if (/^(frame|child|default)-src/.test(event.effectiveDirective)) refused.abort();
      },
      { signal: end.signal },
    );

    const isReady = () => panel.box.className === 'ready';
    if (!isReady()) {
      const ready = next('ready', until);
      // Load again, so that a failure shows while this listens.
      if (iframeOf(panel)) panel.reload();
      else panel.warm();
      await ready;
    }
    let diagnosis: Diagnosis | undefined;
    if (isReady()) {
      const answer = next('diagnosis', until);
      panel.send({ type: 'diagnose' });
      diagnosis = (await answer)?.diagnosis;
    }
    const isAnswered = isReady() || (await checks.reaches(bff));
    // The violation event comes after the blocked request has failed.
    await new Promise((resolve) => setTimeout(resolve));
    const isReachable = isAnswered || (isKeptFromAsking ? null : false);
    end.abort();
    const embedder = await checks.embedderPolicy();

    const found: Check[] = [
      checks.tag(bff),
      checks.styles(view.launcher),
      checks.launchers(settings.launcher, findLaunchers(settings)),
      ...checkHours(),
      checks.policy(blocked),
      checks.reachable(isReachable, bff),
      checks.embedder(embedder, isReady(), bff),
      checks.frame(isReady(), isReachable, blocked, embedder),
      checks.version(isReady() ? frameVersion : null),
      checks.hostStorage(),
      checks.frameStorage(diagnosis),
      checks.cookies(bff),
      checks.api(diagnosis),
      checks.live(diagnosis),
    ];
    // oxlint-disable-next-line no-console -- the report is for developers
    console.table(found);
    return { version: __DESKSIDE_VERSION__, checks: found };
  }

  return {
    run,
    onMessage(message: FrameMessage, frame: Frame) {
      if (frame !== frames[0]) return;
      if (message.type === 'ready') frameVersion = message.version;
      waiting.forEach((listener) => listener(message));
    },
  };
}
