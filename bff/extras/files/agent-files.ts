import { fileLinkPath, type MessageFile } from '../../../shared/contract/files.ts';
import { readMessage } from '../../../shared/text/message.ts';
import type { TextNode } from '../../../shared/text/nodes.ts';
import { readLine } from './lines.ts';

/** Of one message. All further ones stay links. */
const maxFiles = 10;

/** By their ending, since nothing is requested to find out. SVG is never shown. */
const pictureName = /\.(?:png|jpe?g|gif|webp|avif)$/i;

/** Where agents' files come from. */
interface Origins {
  /** The address under which this BFF serves files. */
  files: string;
  /** Origins of the ticket service. */
  service: readonly string[];
}

/** The name at the end of a path; null where it is encoded wrongly. */
function nameOf(path: string): string | null {
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)).replace(/[\p{C}\\/]/gu, '') || null;
  } catch {
    return null;
  }
}

interface FoundLink {
  url: string;
  /** As it stands in the text; undefined for one with a label. */
  bare: string | undefined;
}

/** What is quoted, and code, has none. */
function linksIn(nodes: readonly TextNode[]): FoundLink[] {
  return nodes.flatMap((node): FoundLink[] => {
    if (typeof node === 'string' || node.type === 'quoted') return [];
    if (node.type === 'link') return [{ url: node.url, bare: node.bare }];
    if (node.type === 'table') return node.rows.flatMap((row) => row.flatMap(linksIn));
    return 'children' in node ? linksIn(node.children) : [];
  });
}

/**
 * Finds what an agent's text names by a line as customers' texts have them, or by a link to a picture. v1 has texts only, so
 * agents have no other way to send a picture.
 * SECURITY: only of this BFF and of the ticket service, so that no text makes a customer's browser ask another server. A
 * link with a query may do something when it is requested.
 */
export function createAgentFiles({ files: filesUrl, service }: Origins) {
  const origins = new Set([new URL(filesUrl).origin, ...service]);

  /** The address if it may be requested; null for any other. */
  function trusted(text: string): URL | null {
    if (!URL.canParse(text)) return null;
    const url = new URL(text);
    if (!origins.has(url.origin) || url.username || url.password || url.search) return null;
    url.hash = '';
    const isService = service.includes(url.origin);
    return isService || url.href.startsWith(`${filesUrl}${fileLinkPath}/`) ? url : null;
  }

  function pictureAt(link: string): MessageFile | null {
    const url = trusted(link);
    const name = url && nameOf(url.pathname);
    return url && name && pictureName.test(name) ? { name, size: 0, url: url.href, picture: true } : null;
  }

  /** The files that the last lines name, in the order of the lines, and the text before them. */
  function takeLines(body: string) {
    const lines = body.trimEnd().split('\n');
    const files: MessageFile[] = [];
    for (; lines.length > 0 && files.length < maxFiles; lines.pop()) {
      const file = readLine(lines.at(-1)!);
      const url = file && trusted(file.url);
      if (!url) break;
      const { width, height, ...facts } = file;
      const isShown = width && height && pictureName.test(file.name);
      files.unshift({ ...facts, url: url.href, ...(isShown && { width, height }) });
    }
    return { files, text: files.length > 0 ? lines.join('\n').trimEnd() : body };
  }

  return (body: string): { body: string; files: MessageFile[] } | null => {
    // Most texts name none, and reading one takes time.
    if (![...origins].some((origin) => body.includes(origin))) return null;
    const { files, text } = takeLines(body);
    const found = new Map(files.map((file) => [file.url, file]));
    let rest = text;
    for (const { url, bare } of linksIn(readMessage(text, 'agent'))) {
      const picture = pictureAt(url);
      if (!picture || (found.size >= maxFiles && !found.has(picture.url))) continue;
      if (!found.has(picture.url)) found.set(picture.url, picture);
      if (bare !== undefined) rest = rest.replace(bare, '');
    }
    if (found.size === 0) return null;
    // A text of links alone would only repeat the pictures.
    return { body: rest.trim() === '' ? '' : text, files: [...found.values()] };
  };
}
