/** What the panel calls things, in the language that it speaks; the document that it is made of carries them all. */
export interface Sentences {
  fields: { customer_email: string; subject: string; description: string };
  send: string;
  states: { done: string };
  writeReply: string;
  sendReply: string;
}
