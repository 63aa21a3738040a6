import { asBuffer, inPieces, joined } from '../../../core/bytes.ts';

/*
 * The mail in a form, as some providers send it. It is read as bytes: a mail may be in any character set, and may have
 * megabytes.
 */

/** `body-mime` of Mailgun, `email` of SendGrid. */
const rawFields = ['body-mime', 'email'];
/** Of Mailgun: to whom the mail went, which its header need not say. */
const recipientField = 'recipient';

/** SECURITY: providers send some thirty. A mail behind more is not looked for: that could take seconds. */
const maxFields = 200;

type Fields = Map<string, Buffer>;

function multipartFields(body: Buffer, boundary: string): Fields {
  const fields: Fields = new Map();
  const mark = `--${boundary}`;
  let at = body.indexOf(mark);
  for (let nth = 0; at >= 0 && nth < maxFields; nth += 1) {
    const head = body.indexOf('\r\n\r\n', at);
    const end = body.indexOf(`\r\n${mark}`, head);
    if (head < 0 || end < 0) break;
    const [, name] = /\bname="([^"]*)"/i.exec(body.toString('latin1', at, Math.min(head, at + 2_000))) ?? [];
    if (name !== undefined) fields.set(name, body.subarray(head + 4, end));
    at = end + 2;
  }
  return fields;
}

/** What percent signs and plus signs stand for. */
async function decoded(value: Buffer): Promise<Buffer> {
  const found: Buffer[] = [];
  /** The beginning of what stands in two pieces. */
  let rest = '';
  for await (const piece of inPieces(value)) {
    const text = rest + piece.toString('latin1');
    rest = /%[^%]?$/.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - rest.length).replaceAll('+', ' ');
    const bytes = whole.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    );
    found.push(Buffer.from(bytes, 'latin1'));
  }
  return joined([...found, Buffer.from(rest, 'latin1')]);
}

function encodedFields(body: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  for (let nth = 0; at < body.length && nth < maxFields; nth += 1) {
    const next = body.indexOf('&', at);
    const end = next < 0 ? body.length : next;
    const equals = body.subarray(at, end).indexOf('=');
    if (equals >= 0)
      fields.set(body.toString('latin1', at, at + equals), body.subarray(at + equals + 1, end));
    at = end + 1;
  }
  return fields;
}

/** Null where the body is no form. Empty for a form without a mail. */
export async function mailInForm(body: Uint8Array, type: string): Promise<Buffer | null> {
  const isEncoded = /^application\/x-www-form-urlencoded\b/i.test(type);
  const boundary = /^multipart\/form-data\b.*\bboundary="?([^";,]+)/i.exec(type)?.[1];
  if (!isEncoded && boundary === undefined) return null;
  const fields = isEncoded ? encodedFields(asBuffer(body)) : multipartFields(asBuffer(body), boundary!);
  const valueOf = async (name: string) => {
    const value = fields.get(name) ?? Buffer.alloc(0);
    return isEncoded ? decoded(value) : value;
  };
  const given = rawFields.find((name) => fields.has(name));
  const mail = await valueOf(given ?? '');
  const recipient = String(await valueOf(recipientField));
  return mail.length > 0 && /^[^\s<>]+$/.test(recipient)
    ? joined([Buffer.from(`X-Original-To: ${recipient}\r\n`), mail])
    : mail;
}
