/** A form of the ticket page that was refused: why, and what was typed. */
export interface Refused {
  form: 'answer' | 'note' | 'status' | 'merge' | 'company';
  fault: string;
  text: string;
}
