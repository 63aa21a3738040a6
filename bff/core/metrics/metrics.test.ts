import { expect, it } from 'vitest';
import { createMetrics, declareProcess, metricsText } from './metrics.ts';
import { startBff } from '../../testing/bff.ts';
import { expectNothingPersonal, personalDataSettings, usePersonalData } from '../../testing/personal-data.ts';

it('no metric reveals a customer, their text, an id, a token, an origin or a key', async () => {
  const bff = await startBff(personalDataSettings);
  const secrets = await usePersonalData(bff);
  const text = await bff.metrics.registry.metrics();
  await bff.stop();

  expect(text).toMatch(
    /^deskside_http_requests_total\{route="\/hooks\/tickets\/:secret",method="POST",code="204"\} 1$/m,
  );
  expect(text).toMatch(/^deskside_answer_delay_seconds_count [1-9]/m);
  expectNothingPersonal(text, secrets);
});

it('with a further site, no metric of the process and of the main site is lost or changed', async () => {
  const main = createMetrics();
  declareProcess(main.registry);
  main.serviceDurations.observe({ call: 'listTickets' }, 0.2);
  const garden = createMetrics();
  garden.serviceDurations.observe({ call: 'listTickets' }, 3);
  const alone = await metricsText([{ metrics: main }]);
  const both = await metricsText([{ metrics: main }, { name: 'garden', metrics: garden }]);
  const namesOf = (text: string) => text.match(/^# TYPE \S+/gm);
  expect(namesOf(both)).toEqual(namesOf(alone));
  const durations = (text: string) => text.match(/^deskside_service_request_duration_seconds_.*$/gm) ?? [];
  expect(durations(both).filter((line) => !line.includes('site='))).toEqual(durations(alone));
});
