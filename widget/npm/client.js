/** @typedef {import('./client.d.ts').ClientState} ClientState */
/** @typedef {import('./client.d.ts').Identify} Identify */

/** So long the frame may take to load. */
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
  let state = nothing;
  /** @type {Identify | undefined} SECURITY: kept in memory only. */
  let proof = identify;
  let calls = 0;
  let isReady = false;
  /** @type {string | null} The conversation on screen. */
  let followed = null;
  /** @type {object[]} What was said before the frame was there. */
  const early = [];
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const asked = new Map();
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
  const tell = (name, detail) => handlers.get(name)?.forEach((handle) => handle(detail));

  /** @param {object} message */
  function post(message) {
    // A page that swaps its body takes the frame away.
    if (frame && !frame.isConnected && !lifetime.signal.aborted) attach();
    if (isReady) frame?.contentWindow?.postMessage(message, origin);
    else early.push(message);
  }

  async function sendToken() {
    const given = proof;
    if (!given) return;
    try {
      const token = typeof given === 'function' ? await given() : given;
      // A plain token is used once.
      if (given === proof && typeof given === 'string') proof = undefined;
      else if (given !== proof) return;
      post({ type: 'identify', token });
    } catch {
      // The customer has changed or signed out meanwhile.
      if (given !== proof) return;
      post({ type: 'identify_failed' });
      tell('error', { code: 'identify_failed' });
    }
  }

  /** @param {MessageEvent} event */
  function hear({ source, origin: from, data }) {
    // SECURITY: of that one window, while it shows that origin.
    if (!source || source !== frame?.contentWindow || from !== origin) return;
    if (data?.type === 'ready') {
      clearTimeout(timer);
      isReady = true;
      if (followed !== null) say('follow', followed);
      early.splice(0).forEach(post);
      void sendToken();
    } else if (data?.type === 'state') {
      state = data.state;
      listeners.forEach((listen) => listen(state));
    } else if (data?.type === 'answer') {
      const waiting = asked.get(data.id);
      asked.delete(data.id);
      if (data.code) waiting?.reject(new ClientError(data.code, data.fields));
      else waiting?.resolve(data.value);
    } else if (data?.type === 'event') tell(data.event.name, data.event.detail);
    else if (data?.type === 'token') void sendToken();
  }

  /**
   * @param {string} name
   * @param {unknown[]} args
   */
  function say(name, ...args) {
    calls += 1;
    // As plain data: frameworks give proxies, which cannot be posted.
    post(JSON.parse(JSON.stringify({ type: 'call', id: calls, name, args })));
  }

  /**
   * @param {string} name
   * @param {unknown[]} args
   */
  const ask = (name, ...args) =>
    new Promise((resolve, reject) => {
      if (lifetime.signal.aborted) return reject(new ClientError('destroyed'));
      // The page may have gone on without loading anew.
      post({ type: 'update', settings: pageSettings() });
      say(name, ...args);
      asked.set(calls, { resolve, reject });
    });

  const pageSettings = () => ({
    origin: location.origin,
    // Without query and hash, which can hold secrets.
    page_url: location.origin + location.pathname,
    identify: Boolean(proof),
  });

  /** @param {string} code */
  function rejectAll(code) {
    for (const { reject } of asked.values()) reject(new ClientError(code));
    asked.clear();
    early.length = 0;
  }

  function attach() {
    isReady = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      rejectAll('frame_unavailable');
      tell('error', { code: 'frame_unavailable' });
    }, LOAD_MS);
    // A frame that is added again loads again.
    if (frame) (document.body ?? document.documentElement).append(frame);
  }

  function load() {
    frame = Object.assign(document.createElement('iframe'), { title: 'Support', hidden: true });
    const query = new URLSearchParams({ lang: locale ?? document.documentElement.lang });
    frame.src = `${origin}/headless?${query}#${encodeURIComponent(JSON.stringify(pageSettings()))}`;
    addEventListener('message', hear, { signal: lifetime.signal });
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
    openTicket: (ticket) => /** @type {Promise<string>} */ (ask('openTicket', ticket)),
    reply: async (ref, text) => void (await ask('reply', ref, text)),
    follow(ref) {
      followed = ref;
      if (isReady) say('follow', ref);
    },
    loadEarlier: () => say('loadEarlier'),
    sendAgain: (key) => say('sendAgain', key),
    discard: () => say('discard'),
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
