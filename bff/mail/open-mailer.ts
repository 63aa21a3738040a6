import type { Log } from '../log/log.ts';
import type { Mailer } from './mailer.ts';

interface Settings {
  mail: { url: string; from: string } | null;
  brand: string | null;
  brandColor: string | null;
  brandLogo: string | null;
  publicUrl: string;
}

/** The mailer of the operator's settings. Null without a mail server: then the mail library is not loaded. */
export async function openMailer(
  { mail, brand, brandColor, brandLogo, publicUrl }: Settings,
  log: Pick<Log, 'report'>,
): Promise<Mailer | null> {
  if (!mail) return null;
  const { createMailer } = await import('./mailer.ts');
  return createMailer({ ...mail, brand, brandColor, brandLogo, publicUrl, log });
}
