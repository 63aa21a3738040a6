import { accountPaths } from '../../../shared/contract/account-paths.ts';
import type { CustomerData, Device } from '../../../shared/contract/customer-data.ts';
import type {
  CodeRequest,
  Handoff,
  HandoffAnswer,
  HandoffProgress,
  Session,
} from '../../../shared/contract/session.ts';
import type { Calls } from '../api/client.ts';
import type { Models } from '../models.ts';

/** The requests of the account's views. */
export const createAccountApi = ({ call, ofOwner }: Calls) => ({
  /** Requests a code by e-mail; succeeds whether or not the address is known. */
  requestCode: (request: CodeRequest) => call<unknown>(accountPaths.code, null, { body: request }),
  verifyCode: (code: string) => call<Session>(accountPaths.codeVerify, 'customer', { body: { code } }),
  /** What the BFF stores of the customer. */
  data: () => ofOwner<CustomerData>(accountPaths.data, 'version'),
  deleteData: () => ofOwner<unknown>(accountPaths.data, null, { method: 'DELETE' }),
  devices: () => ofOwner<Device[]>(accountPaths.devices, 'length'),
  signOutEverywhere: () => ofOwner<unknown>(accountPaths.devices, null, { method: 'DELETE' }),
  /** Offers this customer's tickets to one other device. */
  offer: () => ofOwner<Handoff>(accountPaths.handoff, 'qr', { body: {} }),
  offered: () => call<Handoff>(accountPaths.handoff, 'state'),
  withdraw: () => call<unknown>(accountPaths.handoff, null, { method: 'DELETE' }),
  /** `number`: the digits that the customer has compared. */
  confirm: (number: string) => ofOwner<unknown>(accountPaths.handoffConfirm, null, { body: { number } }),
  redeem: (answer: HandoffAnswer) =>
    call<HandoffProgress>(accountPaths.handoffRedeem, 'state', { body: answer }),
});

export type AccountApi = ReturnType<typeof createAccountApi>;

/** Models that those of the account are made of. */
export interface AccountOptions extends Omit<Models, 'api'> {
  api: AccountApi;
}
