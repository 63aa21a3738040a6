/** A form of the ticket page that was refused: the reason, and the typed text if no draft has it. */
export interface Refused {
  form: 'answer' | 'note' | 'status' | 'assign' | 'merge' | 'company';
  fault: string;
  text?: string;
  /** For an answer that was held because of newer messages: the newest message that its author had seen. */
  seen?: string | undefined;
}
