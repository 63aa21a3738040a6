import { describe, expect, it } from 'vitest';
import { createSeal, openOnce, type Seal } from './seal.ts';

const seal = createSeal('a secret of more than thirty-two characters');
const contact = { email: 'ada@example.com', name: 'Ada 🦊' };

describe('seal', () => {
  it('opens what it sealed, and reveals none of it', () => {
    const sealed = seal.seal('subjects.contact', contact);
    expect(sealed).not.toContain('ada');
    expect(seal.open('subjects.contact', sealed)).toEqual(contact);
  });

  it('never gives the same text twice', () => {
    expect(seal.seal('subjects.contact', contact)).not.toBe(seal.seal('subjects.contact', contact));
  });

  it('does not open for another column, for another key, or when one byte was changed [storage-1]', () => {
    const sealed = seal.seal('subjects.contact', contact);
    const changed = sealed.slice(0, 20) + (sealed[20] === 'A' ? 'B' : 'A') + sealed.slice(21);
    expect(seal.open('operations.payload', sealed)).toBeNull();
    expect(
      createSeal('another secret of thirty-two characters!').open('subjects.contact', sealed),
    ).toBeNull();
    expect(seal.open('subjects.contact', changed)).toBeNull();
    for (const text of ['', 'v1.', 'v1.AAAA', 'plain'])
      expect(seal.open('subjects.contact', text)).toBeNull();
  });

  it('gives equal hashes for the same purpose only', () => {
    expect(seal.hash('session', 'token')).toBe(seal.hash('session', 'token'));
    expect(seal.hash('session', 'token')).not.toBe(seal.hash('payload', 'token'));
  });
});

describe('openOnce', () => {
  it('opens a text once, and a text that cannot be opened at each call', () => {
    const sealed = seal.seal('codes.email', 'ada@example.com');
    let opened = 0;
    const counted: Pick<Seal, 'open'> = {
      open: (place, text) => {
        opened += 1;
        return seal.open(place, text);
      },
    };
    const open = openOnce(counted, 'codes.email', 2);
    expect([open(sealed), open(sealed), open('v1.AAAA'), open('v1.AAAA')]).toEqual([
      'ada@example.com',
      'ada@example.com',
      null,
      null,
    ]);
    expect(opened).toBe(3);
  });

  it('tells a damaged text from the intact one with the same nonce, whichever comes first', () => {
    const sealed = seal.seal('codes.email', 'ada@example.com');
    const damaged = sealed.slice(0, -4) + (sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    const open = openOnce(seal, 'codes.email', 2);
    expect([open(damaged), open(sealed), open(damaged)]).toEqual([null, 'ada@example.com', null]);
  });
});
