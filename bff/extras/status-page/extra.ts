import { explainConnection } from '../../core/connection-errors.ts';
import { LoggableError } from '../../core/errors.ts';
import type { Extra } from '../../core/extra.ts';
import { fail, ok } from '../../core/operator/check.ts';
import type { Part } from '../../core/part.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { sentencesOf } from '../../core/site/site.ts';
import { createReading, type Report } from './report.ts';
import { statusPageSettings } from './settings.ts';

const everyMs = 60_000;
const timeoutMs = 10_000;
const hourMs = 3_600_000;

export interface StatusPagePart extends Part {
  /** Reads the status page now. */
  read: () => Promise<void>;
}

/**
 * Names on the start of the panel what the operator's status page reports. Browsers never ask that page. While it cannot
 * be read, nothing is shown of it.
 */
export const statusPage: Extra = {
  name: 'status-page',
  settings: statusPageSettings,
  checks: ({ config, patienceMs }) => [
    {
      name: 'status-page',
      needs: ['configuration'],
      fix: 'Check STATUS_PAGE_URL: it must answer with the JSON of a status page, without a redirect.',
      async run() {
        const { STATUS_PAGE_URL: url } = valuesOf(statusPageSettings, config().values);
        if (url === undefined) return ok('STATUS_PAGE_URL is not set');
        const reading = createReading(url, patienceMs);
        try {
          const report = await reading.read();
          return ok(report ? `the status page reports: ${report.text}` : 'the status page reports nothing');
        } catch (error) {
          return fail(
            error instanceof LoggableError
              ? error.message
              : (explainConnection(error) ?? 'the status page cannot be read'),
          );
        } finally {
          await reading.close();
        }
      },
    },
  ],
  create({ config, log, now }): StatusPagePart | null {
    const { STATUS_PAGE_URL: url } = valuesOf(statusPageSettings, config.values);
    if (url === undefined) return null;
    const reading = createReading(url, timeoutMs);
    let report: Report | null = null;
    let isReadable = true;
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;

    async function read(): Promise<void> {
      try {
        report = await reading.read();
        isReadable = true;
      } catch (err) {
        report = null;
        if (isReadable && !isStopped) log.report('status_page_not_read', { err });
        isReadable = false;
      }
    }

    return {
      read,
      site(language) {
        if (!report) return {};
        const link = { url: report.url, label: sentencesOf(language).site.statusPage };
        // A page that stays open never asks again. A whole hour, so that documents do not change every minute.
        const until = (Math.floor(now() / hourMs) + 2) * hourMs;
        return { notices: [{ text: report.text, link, until }] };
      },
      start() {
        void read();
        timer = setInterval(() => void read(), everyMs).unref();
      },
      async stop() {
        isStopped = true;
        clearInterval(timer);
        await reading.close();
      },
    };
  },
};
