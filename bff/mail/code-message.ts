/** A message as it is mailed. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

const minutes = 10;

/**
 * The message that carries a one-time code; nothing in it is loaded from elsewhere.
 * @param code six digits
 * @param brand the support desk's name, one line of plain text
 * @param host where the support desk runs, shown so that the reader can tell who asks
 */
export function codeMessage(code: string, brand: string, host: string): MailContent {
  const subject = `${code} is your code for ${brand}`;
  const use = `Type it where you asked for it. It works once, and for ${minutes} minutes.`;
  const warning =
    'If you did not ask for a code, you can ignore this message: nobody can use your address without it. ' +
    'Never give it to anyone, not even to someone who says they work here.';
  return {
    subject,
    text: `Your code for ${brand} is\n\n    ${code}\n\n${use}\n\n${warning}\n\n-- \n${brand}, ${host}\n`,
    html: page(subject, {
      lead: `Your code for ${escapeHtml(brand)} is`,
      code,
      use,
      warning,
      sender: `${escapeHtml(brand)}, ${escapeHtml(host)}`,
    }),
  };
}

/** Styles stand in the elements too: many mail programs drop a style sheet, and with it only the dark colours. */
function page(title: string, part: Record<'lead' | 'code' | 'use' | 'warning' | 'sender', string>): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page, .card { background: #16181d !important; color: #f2f3f5 !important; }
  .code { background: #262a32 !important; color: #ffffff !important; }
  .quiet { color: #a9b0bb !important; }
}
</style>
</head>
<body class="page" style="margin: 0; padding: 32px 16px; background: #ffffff; color: #1b1e24; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;">
<div class="card" style="max-width: 440px; margin: 0 auto;">
<p style="margin: 0 0 16px;">${part.lead}</p>
<p class="code" style="margin: 0 0 16px; padding: 16px 24px; border-radius: 12px; background: #f1f3f6; color: #1b1e24; font-size: 32px; line-height: 1.2; font-weight: 700; letter-spacing: 6px; font-variant-numeric: tabular-nums; text-align: center;">${part.code}</p>
<p style="margin: 0 0 24px;">${part.use}</p>
<p class="quiet" style="margin: 0 0 24px; color: #5b6370; font-size: 14px;">${part.warning}</p>
<p class="quiet" style="margin: 0; color: #5b6370; font-size: 14px;">${part.sender}</p>
</div>
</body>
</html>
`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
