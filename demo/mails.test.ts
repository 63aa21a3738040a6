import nodemailer from 'nodemailer';
import { expect, it } from 'vitest';
import { mailPage } from './mails.ts';

const to = ['ada@shop.example'];

/** As it comes over the wire. */
async function composed(content: { subject: string; text?: string; html?: string }) {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail({ from: 'a@b.example', to, attachDataUrls: true, ...content });
  return { to, text: (message as Buffer).toString(), at: Date.UTC(2026, 10, 23) };
}

const logo = 'data:image/svg+xml;base64,PHN2Zy8+';
const page = `<!doctype html><html><head><title>x</title></head><body><img src="${logo}"><p>Grüße <a href="https://shop.example/">hier</a></p></body></html>`;

it('the list shows the newest mail; what a mail says is text there', async () => {
  const subject = '<script>alert(1)</script> Schöne Grüße';
  const mails = [
    await composed({ subject: 'First', text: 'One' }),
    await composed({ subject, text: '</pre><b>Two' }),
  ];
  const { body, securityPolicy } = (await mailPage(mails, '/mails'))!;
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Schöne Grüße</h2>');
  expect(body).toContain('&lt;/pre&gt;&lt;b&gt;Two');
  expect(body.indexOf('href="/mails/1"')).toBeLessThan(body.indexOf('href="/mails/0"'));
  expect(body).not.toContain('<iframe');
  expect(securityPolicy).toContain("script-src 'self'");
  expect((await mailPage(mails, '/mails/0'))!.body).toContain('One');
});

it('the HTML of a mail has its pictures, opens links in new tabs and runs no script', async () => {
  const mails = [await composed({ subject: 'A picture', text: 'Plain', html: page })];
  expect((await mailPage(mails, '/mails'))!.body).toContain('src="/mails/0/html"');
  const { body, securityPolicy } = (await mailPage(mails, '/mails/0/html'))!;
  expect(body).toContain('<head><base target="_blank">');
  expect(body).toContain(`<img src="${logo}">`);
  expect(body).toContain('<p>Grüße <a href="https://shop.example/">hier</a></p>');
  expect(securityPolicy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      'sandbox allow-popups allow-popups-to-escape-sandbox',
      "frame-ancestors 'self'",
    ]),
  );
});

it('says what to do while there is no mail', async () => {
  expect((await mailPage([], '/mails'))!.body).toContain('Open a ticket in the shop');
});

it.each(['/mails/1', '/mails/0/html', '/mails/-1', '/mails/0/text', '/mails/', '/mailsx'])(
  'has no %s',
  async (path) => {
    expect(await mailPage([await composed({ subject: 'Plain', text: 'Plain' })], path)).toBeNull();
  },
);
