import { setting, type SettingGroup } from '../../core/settings/settings.ts';
import { httpUrl, isPrivate } from '../../core/settings/values.ts';

export const statusPageSettings = {
  heading: 'Status page',
  shape: {
    STATUS_PAGE_URL: setting(
      httpUrl.refine(isPrivate, 'must be https, or what it says could be changed on the way').optional(),
      {
        about:
          'The summary.json or status.json of your status page, of Statuspage, Instatus or one like them. While it reports an incident or a maintenance under way, the start of the panel names it, unless there is a NOTICE.',
        example: 'https://status.example.com/api/v2/summary.json',
        kind: 'host',
        inSites: 'own',
      },
    ),
  },
} satisfies SettingGroup;
