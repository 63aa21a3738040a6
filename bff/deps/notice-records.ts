import { createNotices } from '../notify/notices.ts';
import { createSuppressions } from '../notify/suppressions.ts';
import type { IdentityModules } from './identity.ts';
import type { Outside } from './outside.ts';

/** Creates the stores for mails about tickets. `isOn`: whether the operator sends any. */
export function createNoticeRecords({
  outside: { config, store, seal, now },
  identity: { subjects },
}: {
  outside: Pick<Outside, 'config' | 'store' | 'seal' | 'now'>;
  identity: Pick<IdentityModules, 'subjects'>;
}) {
  const { mail, notifications, hasConfirmations } = config;
  const offered = {
    answerAfterMs: (mail && notifications?.afterMs) ?? null,
    hasConfirmations: mail !== null && hasConfirmations,
  };
  const isOn = offered.answerAfterMs !== null || offered.hasConfirmations;
  const suppressions = createSuppressions({ store, seal, now });
  const notices = createNotices({ store, seal, subjects, suppressions, offered, now });
  return { notices, suppressions, offered, isOn };
}

export type NoticeRecords = ReturnType<typeof createNoticeRecords>;
