import { expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff } from '../../testing/bff.ts';
import { withFiles } from './testing/uploaded.ts';

const picture = 'https://tickets.test/uploads/box.png';
const from = (values: object) => startBff({ values: { ...withFiles.values, ...values } });

it('an answer that is only a link to a picture of the service is that picture, also in the list', async () => {
  const bff = await from({ SUPPORT_API_URL: 'https://tickets.test' });
  const browser = bff.browser();
  const { id } = (await browser.openTicket()).data;
  bff.service.addMessage(id, 'agent', picture);
  const files = [{ name: 'box.png', size: 0, url: picture, picture: true }];
  const { messages } = (await browser.get(paths.ticket(id))).data;
  expect(messages.at(-1)).toMatchObject({ body: '', files });
  const [ticket] = (await browser.get(paths.tickets)).data;
  expect(ticket.preview).toEqual({ author_type: 'agent', text: '', files });
  const policy = (await bff.app.request('/frame')).headers.get('Content-Security-Policy');
  expect(policy).toMatch(/img-src [^;]*blob: https:\/\/support\.test https:\/\/tickets\.test/);
  await bff.stop();
});

it.each([
  ['is switched off', { FILES: 'off', SUPPORT_API_URL: 'https://tickets.test' }],
  // Pages with https could not show it, and its name is nobody’s business.
  ['has a service in its own network', { SUPPORT_API_URL: 'http://tickets.test' }],
])('where the BFF %s, the link stays a link', async (_, values) => {
  const bff = await from(values);
  const browser = bff.browser();
  const { id } = (await browser.openTicket()).data;
  bff.service.addMessage(
    id,
    'agent',
    picture.replace('https', new URL(values.SUPPORT_API_URL).protocol.slice(0, -1)),
  );
  const last = (await browser.get(paths.ticket(id))).data.messages.at(-1);
  expect(last.body).toContain('box.png');
  expect(last.files).toBeUndefined();
  const policy = (await bff.app.request('/frame')).headers.get('Content-Security-Policy');
  expect(policy).not.toContain('tickets.test');
  await bff.stop();
});
