/** How the customer's browser submits one send to the BFF. */
export type Posting =
  | 'once'
  /** Two tabs, or a double click: the same key twice at once. */
  | 'twice'
  /** The page is closed before the answer, and repeats the send with the same key. */
  | 'reloaded';

/** A file that is uploaded before its send. */
export interface FilePlan {
  /** Of no other file. */
  name: string;
  /** At least, in bytes. */
  size: number;
  /** The connection is cut while the first attempt is on its way. */
  isCut: boolean;
  /** It is uploaded twice at once with the same key. */
  isTwice: boolean;
}

/** Unlike that of every other file. */
export const contentOf = ({ name, size }: Pick<FilePlan, 'name' | 'size'>) =>
  `${name} `.repeat(Math.ceil(size / (name.length + 1)));

export interface Send {
  text: string;
  files: FilePlan[];
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
  /** Uploaded, and never sent. */
  unsent: FilePlan[];
  tickets: TicketPlan[];
}
