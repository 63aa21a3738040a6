import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** 32 MiB and three rounds, as OWASP advises for scrypt; kept in each hash, so they may be raised later. */
const defaultCost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;

/** Hash of a password as `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string, cost = defaultCost): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether `password` made `stored`. Without a `stored` hash it takes as long, and the answer is false. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, key] = stored?.split('$') ?? [];
  if (salt === undefined || key === undefined) {
    await derive(password, Buffer.alloc(16), defaultCost);
    return false;
  }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(derived, Buffer.from(key, 'base64url'));
}

function derive(password: string, salt: Buffer, { N, r, p }: typeof defaultCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC: keyboards differ in how they compose the same letters.
    scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
