import type { Finding, Outcome } from './check.ts';

const marks: Record<Outcome['kind'], string> = {
  holds: 'holds',
  broken: 'BROKEN',
  silent: 'does',
  unchecked: '?',
};

const headings: [kind: Outcome['kind'], heading: string][] = [
  ['holds', 'What holds'],
  ['broken', 'What does not hold'],
  ['silent', 'What the service does where the document is silent'],
  ['unchecked', 'Not checked'],
];

/** The findings as one plain-text table in four parts, with a summary line. */
export function printFindings(findings: readonly Finding[]): string {
  const markWidth = Math.max(...Object.values(marks).map((mark) => mark.length));
  const sectionWidth = Math.max(...findings.map(({ section }) => section.length));
  const line = ({ kind, section, rule, detail }: Finding) => {
    const start = `  ${marks[kind].padEnd(markWidth)}  ${section.padEnd(sectionWidth)}  `;
    return detail === '' ? `${start}${rule}` : `${start}${rule}\n${' '.repeat(start.length)}→ ${detail}`;
  };
  const parts = headings.flatMap(([kind, heading]) => {
    const own = findings.filter((finding) => finding.kind === kind);
    return own.length === 0 ? [] : [`${heading}\n${own.map(line).join('\n')}`];
  });
  const count = (kind: Outcome['kind']) => findings.filter((finding) => finding.kind === kind).length;
  const summary = `${count('holds')} hold, ${count('broken')} do not, ${count('silent')} where the document is silent, ${count('unchecked')} not checked.`;
  return [...parts, summary].join('\n\n');
}
