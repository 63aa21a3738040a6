/** A node of a text, of which a string is a text node. `Own`: the elements that only some texts have. */
export type NodeOf<Own> = string | Own | Formatted<Own>;

/** What formatted texts are made of. */
export type Formatted<Own> =
  | { type: 'paragraph' | 'emphasis' | 'strong' | 'deleted' | 'blockquote'; children: NodeOf<Own>[] }
  /** `id`: what a link to it names. */
  | { type: 'heading'; level: 2 | 3 | 4; id?: string; children: NodeOf<Own>[] }
  /** `start`: the first number; without it the list has no numbers. */
  | { type: 'list'; start?: number; children: NodeOf<Own>[] }
  /** `value`: its number as it was written. */
  | { type: 'item'; value?: number; children: NodeOf<Own>[] }
  | { type: 'inlineCode' | 'code'; text: string }
  /** `url`: http, https, mailto or tel. `bare`: the whole text of a link that shows its address, maybe shortened. */
  | { type: 'link'; url: string; bare?: string; children: NodeOf<Own>[] }
  /** The first row has the headings. */
  | { type: 'table'; rows: NodeOf<Own>[][][] }
  | { type: 'thematicBreak' | 'break' };

/** What a mail program has quoted below or above an answer. */
interface Quoted {
  type: 'quoted';
  children: TextNode[];
}

/** A node of a message. */
export type TextNode = NodeOf<Quoted>;
