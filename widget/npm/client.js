/** @typedef {import('./client.d.ts').ClientState} ClientState */
/** @typedef {import('./client.d.ts').Identify} Identify */

/** Time-out of the frame's loading. */
const LOAD_MS = 10_000;

/** @type {ClientState} */
const nothing = {
  customer: null,
  tickets: null,
  unread: 0,
  conversation: null,
  refused: null,
  isCurrent: false,
};

export class ClientError extends Error {
  /**
   * @param {string} code
   * @param {Record<string, 'required' | 'too_long' | 'invalid'>} fields
   */
  constructor(code, fields = {}) {
    super(code);
    this.name = 'ClientError';
    this.code = code;
    this.fields = fields;
  }
}

/** @type {typeof import('./client.d.ts').createClient} */
export function createClient({ src, locale, identify }) {
  const { origin } = new URL(src);
  const base = src.replace(/\/+$/, '');
  let state = nothing;
  /** @type {Identify | undefined} SECURITY: kept in memory only. */
  let proof = identify;
  let calls = 0;
  let isReady = false;
  /** @type {string | null} The conversation on screen. */
  let followed = null;
  /** @type {object[]} Messages for the frame, until it is ready. */
  const queued = [];
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const pending = new Map();
  /** @type {Set<(state: ClientState) => void>} */
  const listeners = new Set();
  /** @type {Map<string, Set<(detail: any) => void>>} */
  const handlers = new Map();
  const lifetime = new AbortController();

  /** @type {HTMLIFrameElement | undefined} */
  let frame;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /**
   * @param {string} name
   * @param {unknown} detail
   */
  const emit = (name, detail) => handlers.get(name)?.forEach((handle) => handle(detail));

  /** @param {object} message */
  function post(message) {
    // A page that swaps its body takes the frame away.
    if (frame && !frame.isConnected && !lifetime.signal.aborted) attach();
    if (isReady) frame?.contentWindow?.postMessage(message, origin);
    else queued.push(message);
  }

  async function sendToken() {
    const current = proof;
    if (!current) return;
    try {
      const token = typeof current === 'function' ? await current() : current;
      // A plain token is used once.
      if (current === proof && typeof current === 'string') proof = undefined;
      else if (current !== proof) return;
      post({ type: 'identify', token });
    } catch {
      // The customer has changed or signed out meanwhile.
      if (current !== proof) return;
      post({ type: 'identify_failed' });
      emit('error', { code: 'identify_failed' });
    }
  }

  /** @param {MessageEvent} event */
  function onMessage({ source, origin: from, data }) {
    // SECURITY: only messages of this window are read, and only while it shows this origin.
    if (!source || source !== frame?.contentWindow || from !== origin) return;
    if (data?.type === 'ready') {
      clearTimeout(timer);
      isReady = true;
      if (followed !== null) callFrame('follow', followed);
      queued.splice(0).forEach(post);
      void sendToken();
    } else if (data?.type === 'state') {
      state = data.state;
      listeners.forEach((listen) => listen(state));
    } else if (data?.type === 'answer') {
      const waiting = pending.get(data.id);
      pending.delete(data.id);
      if (data.code) waiting?.reject(new ClientError(data.code, data.fields));
      else waiting?.resolve(data.value);
    } else if (data?.type === 'event') emit(data.event.name, data.event.detail);
    else if (data?.type === 'token') void sendToken();
  }

  /**
   * @param {string} name
   * @param {unknown[]} args
   */
  function callFrame(name, ...args) {
    calls += 1;
    // As plain data: frameworks give proxies, which cannot be posted.
    post(JSON.parse(JSON.stringify({ type: 'call', id: calls, name, args })));
  }

  /**
   * @param {string} name
   * @param {unknown[]} args
   */
  const request = (name, ...args) =>
    new Promise((resolve, reject) => {
      if (lifetime.signal.aborted) return reject(new ClientError('destroyed'));
      // A single-page app changes its address without loading again.
      post({ type: 'update', settings: pageSettings() });
      callFrame(name, ...args);
      pending.set(calls, { resolve, reject });
    });

  const pageSettings = () => ({
    origin: location.origin,
    // Without query and hash, which can hold secrets.
    page_url: location.origin + location.pathname,
    identify: Boolean(proof),
  });

  /** @param {string} code */
  function rejectAll(code) {
    for (const { reject } of pending.values()) reject(new ClientError(code));
    pending.clear();
    queued.length = 0;
  }

  function attach() {
    isReady = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      rejectAll('frame_unavailable');
      emit('error', { code: 'frame_unavailable' });
    }, LOAD_MS);
    // A frame that is added again loads again.
    if (frame) (document.body ?? document.documentElement).append(frame);
  }

  function load() {
    frame = Object.assign(document.createElement('iframe'), { title: 'Support', hidden: true });
    const query = new URLSearchParams({ lang: locale ?? document.documentElement.lang });
    frame.src = `${base}/headless?${query}#${encodeURIComponent(JSON.stringify(pageSettings()))}`;
    addEventListener('message', onMessage, { signal: lifetime.signal });
    attach();
  }
  // On a server it does nothing.
  if (typeof document !== 'undefined') load();

  return {
    get state() {
      return state;
    },
    subscribe(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    on(name, handle) {
      const known = handlers.get(name) ?? new Set();
      handlers.set(name, known.add(handle));
      return () => void known.delete(handle);
    },
    openTicket: (ticket) => /** @type {Promise<string>} */ (request('openTicket', ticket)),
    reply: async (ref, text) => void (await request('reply', ref, text)),
    follow(ref) {
      followed = ref;
      if (isReady) callFrame('follow', ref);
    },
    loadEarlier: () => callFrame('loadEarlier'),
    sendAgain: (key) => callFrame('sendAgain', key),
    discard: () => callFrame('discard'),
    identify(given) {
      proof = given;
      post({ type: 'identifying' });
      if (isReady) void sendToken();
    },
    logout() {
      proof = undefined;
      post({ type: 'logout' });
    },
    destroy() {
      lifetime.abort();
      clearTimeout(timer);
      frame?.remove();
      state = nothing;
      rejectAll('destroyed');
      listeners.clear();
      handlers.clear();
    },
  };
}
