/** How the customer's browser brings one send to the BFF. */
export type Posting =
  | 'once'
  /** Two tabs, or a double click: the same key twice at once. */
  | 'twice'
  /** It goes away before the answer, and comes back with the same key. */
  | 'reloaded';

export interface Send {
  text: string;
  posting: Posting;
  /** Virtual milliseconds that the customer waits before it. */
  pauseMs: number;
  /** Whether the customer presses "Send again" when it is theirs to decide. */
  sendsAgain: boolean;
}

export interface ReplyPlan extends Send {
  /** Sent also while its ticket still waits; else only once the ticket is there. */
  isEager: boolean;
  /** Whether the conversation is looked at before it. */
  looksFirst: boolean;
}

export interface TicketPlan extends Send {
  subject: string;
  replies: ReplyPlan[];
}

export interface CustomerPlan {
  email: string;
  tickets: TicketPlan[];
}
