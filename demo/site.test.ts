import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createDemoSite } from './site.ts';

const bffUrl = 'http://localhost:4999';
const sites: Awaited<ReturnType<typeof createDemoSite>>[] = [];

async function start(options: Partial<Parameters<typeof createDemoSite>[0]> = {}) {
  const site = await createDemoSite({ bffUrl, port: 0, ...options });
  sites.push(site);
  return site;
}

/** A path without changes; fetch would normalize it. */
const statusOf = (url: string, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, { path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });

afterEach(() => Promise.all(sites.splice(0).map((site) => site.close())));

describe('the demo shop', () => {
  it.each(['/', '/product.html', '/orders.html?glaze=Slate'])(
    'serves %s with the widget of the BFF',
    async (path) => {
      const { url } = await start();
      const response = await fetch(url + path);
      const page = await response.text();
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(page).toContain(`src="${bffUrl}/widget.js"`);
      expect(page).not.toContain('{{');
      expect(response.headers.get('content-security-policy')).toContain(`script-src 'self' ${bffUrl};`);
    },
  );

  it('has every file that its pages name', async () => {
    const { url } = await start();
    const pages = await Promise.all(
      ['/', '/product.html', '/orders.html'].map(async (path) => (await fetch(url + path)).text()),
    );
    const paths = new Set(
      pages.flatMap((page) => [...page.matchAll(/(?:src|href)="(\/[^"#]*)/g)].map(([, path]) => path!)),
    );
    expect(paths.size).toBeGreaterThan(10);
    for (const path of paths) expect([path, await statusOf(url, path)]).toEqual([path, 200]);
  });

  it.each(['/nothing', '/../site.ts', '/..%2fsite.ts', '//', '/img', '/__proto__'])(
    'has no %s',
    async (path) => {
      const { url } = await start();
      expect(await statusOf(url, path)).toBe(404);
    },
  );

  it('rejects when its port is in use', async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('reloads open pages when live reload is on', async () => {
    const site = await start({ liveReload: true });
    expect(await (await fetch(site.url)).text()).toContain('/live-reload.js');
    const reader = (await fetch(`${site.url}/live-reload`)).body!.getReader();
    site.reload();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: reload\n\n');
    await reader.cancel();
  });

  it('does not change pages otherwise', async () => {
    const { url } = await start();
    expect(await (await fetch(url)).text()).not.toContain('live-reload');
    expect(await statusOf(url, '/live-reload')).toBe(404);
  });
});
