/** How the customer's browser submits one send to the BFF. */
export type Posting =
  | 'once'
  /** Two tabs, or a double click: the same key twice at once. */
  | 'twice'
  /** The page is closed before the answer, and repeats the send with the same key. */
  | 'reloaded';

export interface Send {
  text: string;
  posting: Posting;
  /** Virtual milliseconds that the customer waits before it. */
  pauseMs: number;
  /** Whether the customer presses "Send again" when the decision is theirs. */
  sendsAgain: boolean;
}

export interface ReplyPlan extends Send {
  /** Whether it is sent even while its ticket still waits. Otherwise it is sent once the ticket exists. */
  isEager: boolean;
  /** Whether the customer reads the conversation before it. */
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
