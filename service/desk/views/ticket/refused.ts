/** A form of the ticket page that was refused: why, and what was typed where no draft keeps it. */
export interface Refused {
  form: 'answer' | 'note' | 'status' | 'merge' | 'company';
  fault: string;
  text?: string;
}
