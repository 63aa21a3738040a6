#!/usr/bin/env node
// Stands in for the Firefox that Playwright starts. Playwright sets media features at every new page by a command that
// today's Firefox ESR does not know, and gives up on the error. Here that command becomes one that does nothing;
// all else passes through as it is.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const unknownMethod = '"method":"emulation.setMediaFeaturesOverride"';
const longestInspected = 4_096;

const firefox = spawn(process.env.FIREFOX_BIN, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));
firefox.on('error', () => process.exit(1));
firefox.on('exit', (code) => process.exit(code ?? 1));

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, prefix, port] = /^(WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:)(\d+)$/.exec(line) ?? [];
  if (!port) return void process.stderr.write(`${line}\n`);
  const relay = createServer((client) => {
    const browser = connect(Number(port), '127.0.0.1');
    const forward = createRewriter(Number(port), (bytes) => browser.write(bytes));
    client.on('data', forward).on('close', () => browser.destroy());
    client.on('error', () => browser.destroy());
    browser.on('data', (bytes) => client.write(bytes)).on('close', () => client.destroy());
    browser.on('error', () => client.destroy());
  });
  relay.listen(0, '127.0.0.1', () => process.stderr.write(`${prefix}${relay.address().port}\n`));
});

/** What a WebSocket client sends, in pieces of any size: the handshake first, then whole frames. */
function createRewriter(port, send) {
  let rest = Buffer.alloc(0);
  let isOpen = false;
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    if (!isOpen) {
      const end = rest.indexOf('\r\n\r\n');
      if (end === -1) return;
      // Firefox answers only to its own port.
      send(
        rest
          .subarray(0, end)
          .toString()
          .replace(/^host:.*$/im, `Host: 127.0.0.1:${port}`) + '\r\n\r\n',
      );
      rest = rest.subarray(end + 4);
      isOpen = true;
    }
    for (let size = frameSize(rest); size <= rest.length; size = frameSize(rest)) {
      send(rewrite(rest.subarray(0, size)));
      rest = rest.subarray(size);
    }
  };
}

// Layout of a client's frame (RFC 6455): two bytes, 0, 2 or 8 more of length, four of mask, the masked payload.
const lengthBytes = (frame) => ({ 126: 2, 127: 8 })[frame[1] & 127] ?? 0;
const headSize = (frame) => 2 + lengthBytes(frame) + 4;

/** Of the first frame in `bytes`; infinite while its head is not complete. */
function frameSize(bytes) {
  if (bytes.length < 2 || bytes.length < headSize(bytes)) return Infinity;
  const short = bytes[1] & 127;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  return headSize(bytes) + length;
}

function rewrite(frame) {
  const head = headSize(frame);
  const payload = frame.subarray(head);
  if (payload.length > longestInspected) return frame;
  const mask = frame.subarray(head - 4, head);
  const unmask = (bytes) => Buffer.from(bytes.map((byte, at) => byte ^ mask[at % 4]));
  const text = unmask(payload).toString();
  if (!text.includes(unknownMethod)) return frame;
  const command = JSON.stringify({ id: JSON.parse(text).id, method: 'session.status', params: {} });
  // Always short enough for a length of one byte. Firefox refuses a frame whose mask is zero: it keeps its own.
  const newHead = Buffer.from([frame[0], 128 | command.length, ...mask]);
  return Buffer.concat([newHead, unmask(Buffer.from(command))]);
}
