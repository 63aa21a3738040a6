import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import { figure, type Figure } from './figure.ts';
import type { Report } from './report.ts';

const reportOf = (...figures: Figure[]) =>
  ({ sections: { bff: { figures, plots: [], notes: [] } } }) as unknown as Report;

const timed = (of: number[], beside = [100, 100, 100], better: Figure['better'] = 'lower') =>
  reportOf(figure({ table: 'reads', what: 'list', unit: 'ms', of, better, beside: { bare: beside } }));

describe('a comparison of two reports', () => {
  const before = timed([200, 210, 220]);

  it('reports a ratio as worse when it is worse in every round', () => {
    const { worse, compared } = compare(before, timed([260, 270, 280]));
    expect(worse).toEqual([{ what: 'bff / reads / list / beside bare', before: 2.1, after: 2.7 }]);
    expect(compared).toBe(1);
  });

  it('reports no difference when the rounds overlap', () => {
    const { worse, better } = compare(before, timed([215, 300, 310]));
    expect({ worse, better }).toEqual({ worse: [], better: [] });
  });

  it('reports no difference below a twentieth', () => {
    expect(compare(timed([200, 200, 200]), timed([208, 208, 208])).worse).toEqual([]);
  });

  it('reports no difference when the machine was slower for both sides', () => {
    expect(compare(before, timed([600, 630, 660], [300, 300, 300])).worse).toEqual([]);
  });

  it('reports less as worse where more is better', () => {
    const earlier = timed([50, 51, 52], undefined, 'higher');
    const later = timed([30, 31, 32], undefined, 'higher');
    expect(compare(earlier, later)).toMatchObject({ worse: [{ before: 0.51, after: 0.31 }], better: [] });
    expect(compare(later, earlier)).toMatchObject({ worse: [], better: [{ before: 0.31, after: 0.51 }] });
  });

  it('compares single rounds only where a figure is exact', () => {
    const once = (bytes: number, isExact?: true) =>
      reportOf(
        figure({
          table: 't',
          what: 'w',
          unit: '',
          of: [bytes],
          beside: { floor: [10] },
          ...(isExact && { isExact }),
        }),
      );
    expect(compare(once(20), once(30)).compared).toBe(0);
    expect(compare(once(20, true), once(30, true)).worse).toHaveLength(1);
  });

  it('names the figures that the later report does not have', () => {
    expect(compare(before, reportOf())).toMatchObject({
      compared: 0,
      missing: ['bff / reads / list / beside bare'],
    });
  });
});
