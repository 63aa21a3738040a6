import { expect, test } from '../support/fixtures.ts';

test('a link with a prepared message opens the form with it, for the customer to send, and the address is as before', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(
    `${stack.host.origin}/?size=4#deskside?message=Is%20this%20in%20stock%3F&email=eve@example.com`,
  );
  await expect(widget.description).toHaveValue('Is this in stock?');
  await expect(widget.email).toHaveValue('');
  expect(page.url()).toBe(`${stack.host.origin}/?size=4`);
});

test('a link on a page with a base opens the panel, each time, and leaves what the customer has written', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { textContent: 'Ask about the lamp' });
    link.href = '#deskside?message=Is%20the%20lamp%20blue%3F';
    document.body.prepend(link);
    document.head.prepend(Object.assign(document.createElement('base'), { href: '/elsewhere/' }));
  });
  const link = page.getByRole('link', { name: 'Ask about the lamp' });
  await link.click();
  await expect(widget.description).toHaveValue('Is the lamp blue?');
  await expect(widget.description).toBeFocused();
  await widget.description.fill('Is the lamp red?');
  await widget.launcher.click();
  await link.click();
  await expect(widget.description).toBeVisible();
  await expect(widget.description).toHaveValue('Is the lamp red?');
  await page.evaluate(() => {
    window.Deskside!('close');
    document.body.insertAdjacentHTML(
      'beforeend',
      '<svg><a href="#deskside"><text y="20">Drawn</text></a></svg>',
    );
  });
  await page.getByText('Drawn').click();
  await expect(widget.description).toBeVisible();
  await expect(page).toHaveURL(`${stack.host.origin}/`);
});

test('a link on a page that routes by the hash opens the panel, and the page stays where it is', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/#/lamps/4`);
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), {
      textContent: 'Ask',
      href: '#deskside?message=Hi',
    });
    document.body.prepend(link);
    for (const type of ['hashchange', 'popstate'])
      addEventListener(type, () => document.body.append('The page has gone elsewhere'));
  });
  await page.getByRole('link', { name: 'Ask' }).click();
  await expect(widget.description).toHaveValue('Hi');
  await expect(page).toHaveURL(`${stack.host.origin}/#/lamps/4`);
  await expect(page.getByText('The page has gone elsewhere')).toHaveCount(0);
});
