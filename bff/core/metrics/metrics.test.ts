import { expect, it } from 'vitest';
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
