/** The launcher's sentences in one language. */
export interface LauncherSentences {
  open: string;
  close: string;
  title: string;
  failed: string;
  retry: string;
  unread: string;
}

export type Words = Omit<LauncherSentences, 'unread'>;

declare const __ENGLISH__: Words;

/** The core's sentences; the build takes them from `shared/i18n/`. */
export const english = __ENGLISH__;
