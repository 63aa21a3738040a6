import { admits } from '../../shared/contract/origins.ts';
import type { Check } from '../npm/deskside.d.ts';

/** The widget's own report in the preview. */
export async function checkPreview(preview: Window | null | undefined): Promise<Check[]> {
  const diagnosis = await preview?.Deskside?.('diagnose');
  if (diagnosis) return diagnosis.checks;
  const hint = 'The widget in the preview gives no answer: load this page anew, past the browser’s cache.';
  return [{ name: 'script', ok: false, hint }];
}

/** Whether a site may show the widget, according to the frame's own policy. `address` is any address of the site. */
export async function checkSite(address: string): Promise<Check> {
  const name = 'Allowed';
  const { protocol, origin } = URL.canParse(address) ? new URL(address) : {};
  if (!origin || !/^https?:$/.test(protocol ?? ''))
    return { name, ok: false, hint: 'This is no address of a site: it begins with https://' };
  const policy = await fetch('./frame', { method: 'HEAD' }).then(
    ({ headers }) => headers.get('Content-Security-Policy') ?? '',
    () => null,
  );
  if (policy === null) return { name, ok: null, hint: 'Deskside could not be reached.' };
  const [, ancestors = ''] = /frame-ancestors ([^;]*)/.exec(policy) ?? [];
  return admits(ancestors.split(' '), origin)
    ? { name, ok: true, hint: `${origin} may show the widget.` }
    : { name, ok: false, hint: `${origin} may not show the widget yet: add it to ALLOWED_ORIGINS.` };
}
