/*
 * Files that customers attach. v1 carries text only: the BFF keeps a file, and lines below the text have its link.
 */

/** `POST /api/files`, with the bytes of one file as the body. */
export const filesPath = '/api/files';

/** Links of files: `/f/{token}/{name}`. */
export const fileLinkPath = '/f';

/** A line for agents with a file begins with it. No other line of ours may. */
export const fileLabel = 'File';

/** The name of the file, percent-encoded. */
export const fileNameHeader = 'X-File-Name';

/** Of a name, in UTF-16 units. A longer one is cut, and keeps its ending. */
export const maxFileName = 100;

/** More pixels are not shown as a picture, since a small file could take gigabytes of memory. */
export const maxShownPixels = 50_000_000;

/** A file that the BFF has taken, and that no message has yet. It is gone after a day. */
export interface UploadedFile {
  id: string;
  /** Cleaned, with the ending of its type. */
  name: string;
  /** In bytes. */
  size: number;
  /** Media type, by its content. */
  type: string;
  /** Pixels as a person sees them. Only for pictures that are shown. */
  width?: number;
  height?: number;
}

/** A file of a message that the service has, or that waits. */
export interface MessageFile {
  name: string;
  /** In bytes, rounded as the line for agents is. 0 where nobody knows it. */
  size: number;
  /** Address of the file, which opens without a session. It answers 404 once the file was removed. */
  url: string;
  /** Pixels, for a picture that is shown in place. */
  width?: number;
  height?: number;
  /** It is such a picture, though its pixels are not known. */
  picture?: true;
}

/** What the app's document says where customers may attach files. */
export interface FileRules {
  /** Of one message. */
  maxCount: number;
  /** Of one file. */
  maxBytes: number;
  /** Media types that are taken, such as `image/png` or `image/*`, for `accept` of the chooser. */
  types: string[];
}
