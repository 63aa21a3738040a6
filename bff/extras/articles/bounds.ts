/** Limits for a folder of articles. Files beyond them are left out. */
export const bounds = {
  articles: 2_000,
  images: 2_000,
  /** Folders within folders. */
  depth: 6,
  articleBytes: 100_000,
  /** Of an article's nodes as JSON: what has more stops the process, and browsers, when it arrives. */
  nodesChars: 600_000,
  imageBytes: 2_000_000,
  /** How many characters of an article's text are searched. */
  searchedChars: 5_000,
  summaryChars: 160,
  /** The least time between two checks of the folder. */
  checkEveryMs: 30_000,
  /** How long a request waits for a change to be read: a large folder takes seconds. */
  waitMs: 500,
  /** Articles on the start view. */
  top: 4,
  /** How long a vote counts. */
  voteDays: 90,
} as const;
