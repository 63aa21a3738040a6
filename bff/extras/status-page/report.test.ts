import { expect, it } from 'vitest';
import { reportIn } from './report.ts';

const address = 'https://status.test/api/v2/summary.json';
const page = { id: '1', name: 'Acme', url: 'https://status.acme.test', updated_at: '2026-11-27T10:00:00Z' };
const well = { indicator: 'none', description: 'All Systems Operational' };
const unwell = { indicator: 'minor', description: 'Partially Degraded Service' };
const incident = { name: 'Payments are slow', status: 'investigating', impact: 'minor' };
const maintenance = { name: 'New database', status: 'in_progress' };

it.each([
  ['a page without an incident', { page, status: well, incidents: [], components: [] }, null],
  ['an incident', { page, status: unwell, incidents: [incident] }, 'Payments are slow'],
  [
    'an incident that is watched while all components work again',
    { page, status: well, incidents: [{ ...incident, status: 'monitoring' }] },
    'Payments are slow',
  ],
  [
    'an incident that is over, in a list that still has it',
    { page, status: well, incidents: [{ ...incident, status: 'resolved' }] },
    null,
  ],
  ['an indicator without an incident', { page, status: unwell, incidents: [] }, 'Partially Degraded Service'],
  ['status.json, which has no incidents', { page, status: unwell }, 'Partially Degraded Service'],
  [
    'a maintenance under way',
    { page, status: { indicator: 'maintenance' }, scheduled_maintenances: [maintenance] },
    'New database',
  ],
  [
    'a maintenance under way by which nothing fails',
    { page, status: well, scheduled_maintenances: [maintenance] },
    'New database',
  ],
  [
    'a maintenance under way at Instatus, which is up',
    { page: { ...page, status: 'UP' }, activeMaintenances: [{ name: 'Disks', status: 'INPROGRESS' }] },
    'Disks',
  ],
  [
    'a maintenance to come',
    { page, status: well, scheduled_maintenances: [{ ...maintenance, status: 'scheduled' }] },
    null,
  ],
  [
    'an incident of Instatus',
    {
      page: { ...page, status: 'HASISSUES' },
      activeIncidents: [{ name: 'API errors', status: 'INVESTIGATING', impact: 'MAJOROUTAGE' }],
      activeMaintenances: [{ name: 'Later', status: 'NOTSTARTEDYET' }],
    },
    'API errors',
  ],
  ['Instatus without an incident', { page: { ...page, status: 'UP' } }, null],
  [
    'Instatus with a trouble that it does not name',
    { page: { ...page, status: 'HASISSUES' }, activeIncidents: [] },
    null,
  ],
  [
    'incidents of another shape',
    { page, status: unwell, incidents: [null, 'x', { title: 'Other' }] },
    'Partially Degraded Service',
  ],
  [
    'a name of several lines with marks of direction',
    { page, status: unwell, incidents: [{ ...incident, name: ' a\u202e\n<b> ' }] },
    'a <b>',
  ],
])('%s', (_, answer, text) =>
  expect(reportIn(JSON.stringify(answer), address)).toEqual(text && { text, url: page.url }),
);

it('a name of many characters is cut', () => {
  const { text } = reportIn(
    JSON.stringify({ page, status: unwell, incidents: [{ ...incident, name: '🔥'.repeat(300) }] }),
    address,
  )!;
  expect(Array.from(text)).toHaveLength(200);
});

it.each([undefined, 'javascript:alert(1)', 'status.acme.test'])(
  'a page with the address %s is linked where it was read',
  (url) =>
    expect(reportIn(JSON.stringify({ page: { url }, status: unwell }), address)!.url).toBe(
      'https://status.test',
    ),
);

it.each(['', '<html>', 'null', '[]', '{"status":"UP"}', '{"page":{"name":"Acme"}}'])(
  'an answer that is no status page (%j) is an error',
  (answer) => expect(() => reportIn(answer, address)).toThrow('the answer '),
);
