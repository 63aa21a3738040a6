import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gateHeader, paths } from '../../shared/contract/paths.ts';
import { expect, newEmail, test } from '../support/fixtures.ts';

test('the API key is in nothing that leaves the BFF: answers, headers, files, logs [upstream-1]', async ({
  page,
  stack,
  widget,
  request,
}) => {
  const key = stack.workspace.api_key;
  const seen: string[] = [];
  page.on('response', async (response) => {
    seen.push(
      JSON.stringify(await response.allHeaders()),
      JSON.stringify(await response.request().allHeaders()),
    );
    if (!response.url().includes(paths.events)) seen.push((await response.body().catch(() => '')).toString());
  });
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.openTicket({ email: newEmail(), subject: 'Canary', description: 'Sing.' });
  await widget.answer('Louder.');
  await expect(widget.conversation.getByText('Louder.')).toBeVisible();

  const headers = { [gateHeader]: '1', 'Sec-Fetch-Site': 'same-origin' };
  const bad = { headers: { ...headers, 'Content-Type': 'application/json' }, data: '{' };
  for (const path of [
    '/',
    '/frame',
    '/widget.js',
    '/widget.js.map',
    '/main.js.map',
    paths.session,
    '/api/nothing',
  ]) {
    const answer = await request.get(stack.bffUrl + path, { headers });
    seen.push(JSON.stringify(answer.headers()), await answer.text());
  }
  seen.push(await (await request.post(stack.bffUrl + paths.tickets, bad)).text());
  for (const name of await readdir('dist', { recursive: true, withFileTypes: true }))
    if (name.isFile()) seen.push(await readFile(join(name.parentPath, name.name), 'latin1'));
  seen.push(...stack.lines);

  expect(seen.length).toBeGreaterThan(30);
  expect(stack.lines.some((line) => line.includes('request_id'))).toBe(true);
  expect(seen.filter((text) => text.includes(key))).toEqual([]);
});

test('logs contain no address, no name and no text of a customer [storage-8]', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const email = newEmail();
  const mark = crypto.randomUUID();
  await widget.openTicket({
    name: `Ada ${mark}`,
    email,
    subject: `Private ${mark}`,
    description: `Secret ${mark}`,
  });
  const logs = stack.lines.join('\n');
  expect(logs).not.toContain(mark);
  expect(logs).not.toContain(email);
});
