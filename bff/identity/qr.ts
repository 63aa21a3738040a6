import { encode } from 'uqr';

/** A text as a QR code: rows of `0` and `1`, one character a module, with a border of two light ones. */
export const qrRows = (text: string): string[] =>
  encode(text, { ecc: 'M', border: 2 }).data.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));
