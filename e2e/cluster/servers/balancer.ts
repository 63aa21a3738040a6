import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/processes.ts';
import { startProgram } from './program.ts';

export const nginx = '/usr/sbin/nginx';

/**
 * A webhook that one instance does not accept in time is sent to the next instance, so it may arrive more than once.
 */
const hookWithinSeconds = 1;
/** Longer than a BFF lets a request wait (5 s for the service, 6 s for a statement). */
const answerWithinSeconds = 30;

const configOf = (dir: string, port: number, instancePorts: readonly number[]) => `
daemon off;
pid ${dir}/nginx.pid;
error_log stderr crit;
worker_processes 1;
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  # Only what it has answered itself.
  map $status $is_own { ~^50[24]|499 1; default 0; }
  log_format statuses '$request_method $status';
  access_log ${dir}/statuses.log statuses if=$is_own;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${dir}/${name};`).join('\n')}
  upstream instances {
${instancePorts.map((instance) => `    server 127.0.0.1:${instance} max_fails=0;`).join('\n')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      # Each customer comes from another address: here it is their own word.
      proxy_set_header X-Forwarded-For $http_x_forwarded_for;
      proxy_buffering off;
      proxy_connect_timeout 1s;
      proxy_read_timeout ${answerWithinSeconds}s;
      # A POST that may have left is not sent to another instance.
      proxy_next_upstream error;
    }
    location /hooks/ {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_connect_timeout 1s;
      proxy_read_timeout ${hookWithinSeconds}s;
      proxy_next_upstream error timeout http_503 non_idempotent;
    }
    location = /api/events {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $http_x_forwarded_for;
      proxy_buffering off;
      proxy_connect_timeout 1s;
      proxy_read_timeout 60s;
      # For the report: whose stream it is.
      add_header X-Instance $upstream_addr always;
      proxy_next_upstream error;
    }
  }
}
`;

/** nginx in front of these instances, in round-robin order. */
export async function startBalancer(instancePorts: readonly number[]) {
  if (!existsSync(nginx)) throw new Error('no nginx here: apt-get install nginx-light');
  const dir = await mkdtemp(join(tmpdir(), 'deskside-nginx-'));
  const config = join(dir, 'nginx.conf');
  const port = await freePort();
  await writeFile(config, configOf(dir, port, instancePorts));
  const running = await startProgram(nginx, ['-p', dir, '-c', config, '-e', 'stderr'], { port });
  return {
    url: `http://127.0.0.1:${port}`,
    /** Requests that it answered itself, without an instance (502, 504) or without a client (499): method and status. */
    ownAnswers: async (): Promise<string[]> =>
      (await readFile(join(dir, 'statuses.log'), 'utf8')).split('\n').filter(Boolean),
    async stop(): Promise<void> {
      await running.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
