#!/usr/bin/env node
// Stands in for the Firefox that Playwright starts. Playwright sets media features at every new page by a command that
// today's Firefox ESR does not know, and gives up on the error. Here that command is answered as if it had worked; all
// else passes through as it is.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const unknownMethod = '"method":"emulation.setMediaFeaturesOverride"';

const firefox = spawn(process.env.FIREFOX_BIN, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));
firefox.on('error', () => process.exit(1));
firefox.on('exit', (code) => process.exit(code ?? 1));

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, prefix, port] = /^(WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:)(\d+)$/.exec(line) ?? [];
  if (!port) return void process.stderr.write(`${line}\n`);
  const relay = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  relay.on('listening', () => process.stderr.write(`${prefix}${relay.address().port}\n`));
  relay.on('connection', (client, { url }) => {
    client.pause();
    const browser = new WebSocket(`ws://127.0.0.1:${port}${url}`);
    browser.on('open', () => client.resume());
    client.on('message', (bytes) => {
      const text = Buffer.from(bytes).toString();
      if (!text.includes(unknownMethod)) return browser.send(text);
      client.send(JSON.stringify({ type: 'success', id: JSON.parse(text).id, result: {} }));
    });
    browser.on('message', (bytes) => client.send(bytes, { binary: false }));
    client.on('close', () => browser.close());
    browser.on('close', () => client.close());
    for (const each of [client, browser]) each.on('error', () => each.terminate());
  });
});
