/** A mailbox that is read over IMAP, and the login for it. */
export interface ImapAddress {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS, which only a server on this machine may do without. */
  isSecure: boolean;
  isLoopback: boolean;
  user: string;
  password: string;
  /** The names on the way to the folder, since servers separate them by different characters. */
  folder: readonly string[];
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);

/** Reads `imaps://user:password@host:port/folder`, or `imap://` for STARTTLS. Null when it is none. */
export function readImapAddress(text: string): ImapAddress | null {
  const url = /^imaps?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url?.hostname || !url.username || !url.password || url.search || url.hash) return null;
  try {
    const isSecure = url.protocol === 'imaps:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const folder = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
    return {
      host,
      port: Number(url.port) || (isSecure ? 993 : 143),
      isSecure,
      isLoopback: isLoopback(host),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      folder: folder.length > 0 ? folder : ['INBOX'],
    };
  } catch {
    // A percent sign that encodes nothing.
    return null;
  }
}
