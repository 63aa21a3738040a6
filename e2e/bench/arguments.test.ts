import { describe, expect, it } from 'vitest';
import { parseArguments, sectionNames } from './arguments.ts';

describe('arguments of the benchmark', () => {
  it('select all sections in full when they have no names', () => {
    expect(parseArguments([])).toEqual({ sections: [...sectionNames], isQuick: false });
  });

  it('select the named sections, in the order of the report', () => {
    expect(parseArguments(['bff', '--quick', 'bytes'])).toEqual({
      sections: ['bytes', 'bff'],
      isQuick: true,
    });
  });

  it('are refused with the list of known names when one name is unknown', () => {
    expect(() => parseArguments(['byte', '--fast'])).toThrow(/unknown: byte, --fast\. Sections: bytes, page/);
  });
});
