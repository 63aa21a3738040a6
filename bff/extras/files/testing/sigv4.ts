import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/*
 * What S3 does with a signed request, by AWS's published rules for Signature Version 4, and from the request alone as it
 * comes over the network. It shares no code with the client.
 */

export interface SignedRequest {
  method: string;
  /** Path and query, as they are sent. */
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined to leave the content unchecked. */
  body?: Buffer;
}

const format =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request, ?SignedHeaders=(?<signed>[a-z0-9;-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;
const mustBeSigned = ['host', 'x-amz-content-sha256', 'x-amz-date'];

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Null for a request that S3 would take from this key, else what is wrong with it. */
export function refusalOf(
  { method, target, headers, body }: SignedRequest,
  own: { accessKeyId: string; secretAccessKey: string; region: string },
): string | null {
  const header = (name: string) => String(headers[name] ?? '').trim();
  const found = format.exec(header('authorization'))?.groups;
  if (!found) return 'AuthorizationHeaderMalformed';
  const { key, date, region, signed, signature } = found as Record<string, string>;
  if (key !== own.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== own.region) return 'AuthorizationHeaderMalformed: region';
  const names = signed!.split(';');
  if (names.join() !== names.toSorted().join()) return 'headers not sorted';
  const amazons = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  const unsigned = [...mustBeSigned, ...amazons].find((name) => !names.includes(name));
  if (unsigned) return `AccessDenied: ${unsigned} is not signed`;
  const at = header('x-amz-date');
  if (!at.startsWith(date!)) return 'the dates differ';
  const hash = header('x-amz-content-sha256');
  if (body && hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path, query = ''] = target.split('?');
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((each) => (each.includes('=') ? each : `${each}=`))
      .toSorted()
      .join('&'),
    ...names.map((name) => `${name}:${header(name).replace(/ +/g, ' ')}`),
    '',
    signed,
    hash,
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const secret = ['s3', 'aws4_request'].reduce<Buffer>(
    hmac,
    hmac(hmac(`AWS4${own.secretAccessKey}`, date!), region),
  );
  const right = hmac(secret, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n'));
  return timingSafeEqual(right, Buffer.from(signature!, 'hex')) ? null : 'SignatureDoesNotMatch';
}
