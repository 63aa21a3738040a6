import type { Extra } from '../../core/extra.ts';
import type { SendRequest } from '../../core/delivery/record.ts';
import type { Core } from '../../core/wiring.ts';
import { createColleagues } from './colleagues.ts';
import { orgSchema } from './tables.ts';

/** Lets people of one organisation read each other's tickets, where the site's token says so. */
export const org: Extra = { name: 'org', schema: orgSchema, create: createOrgPart };

export function createOrgPart(core: Core) {
  const { secret, publicKey, jwksUrl } = core.config.identity;
  const colleagues = createColleagues(core);
  return {
    // SECURITY: also where no token is accepted any more, since rights of earlier ones may be left.
    onSignedIn: colleagues.signedIn,
    ...((secret ?? publicKey ?? jwksUrl) && {
      onVisit: colleagues.visited,
      onSendChanged: colleagues.changed,
      alsoRecord: ({ kind }: SendRequest, subjectId: string | null) =>
        subjectId === null || kind !== 'ticket'
          ? null
          : (operationId: string, db: Core['store']) => colleagues.recordTicket(operationId, subjectId, db),
    }),
    settled: colleagues.settled,
    stop: colleagues.settled,
  };
}
