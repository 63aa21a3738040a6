import { describe, expect, it } from 'vitest';
import { parseArguments, sectionNames } from './arguments.ts';

describe('arguments of the benchmark', () => {
  it('without names, all sections run in full', () => {
    expect(parseArguments([])).toEqual({ sections: [...sectionNames], isQuick: false });
  });

  it('with names, these sections run, in the order of the report', () => {
    expect(parseArguments(['bff', '--quick', 'bytes'])).toEqual({
      sections: ['bytes', 'bff'],
      isQuick: true,
    });
  });

  it('an unknown name is refused, with the names that are known', () => {
    expect(() => parseArguments(['byte', '--fast'])).toThrow(/unknown: byte, --fast\. Sections: bytes, page/);
  });
});
