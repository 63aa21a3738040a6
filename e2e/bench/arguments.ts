export const sectionNames = ['bytes', 'page', 'panel', 'bff', 'live', 'growth', 'articles'] as const;
export type SectionName = (typeof sectionNames)[number];

export interface BenchArguments {
  /** In the order of the report. */
  sections: SectionName[];
  isQuick: boolean;
}

/**
 * Names of sections, none for all, and `--quick`.
 * @throws on anything else
 */
export function parseArguments(given: readonly string[]): BenchArguments {
  const names = given.filter((each) => each !== '--quick');
  const unknown = names.filter((name) => !(sectionNames as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}. Sections: ${sectionNames.join(', ')}; --quick`);
  return {
    sections: sectionNames.filter((name) => names.length === 0 || names.includes(name)),
    isQuick: given.includes('--quick'),
  };
}
