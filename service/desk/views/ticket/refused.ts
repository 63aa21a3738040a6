/** A form of the ticket page that was refused: the reason, and the typed text if no draft has it. */
export interface Refused {
  form: 'answer' | 'note' | 'status' | 'merge' | 'company';
  fault: string;
  text?: string;
}
