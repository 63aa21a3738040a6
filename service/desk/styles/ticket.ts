/** One ticket: conversation, forms, details. */
export const ticketStyles = `
.files { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.5rem; }
.files li { max-width: 100%; }
.files a { display: grid; gap: 0.25rem; width: fit-content; max-width: 100%; text-decoration: none; }
.files img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
.file { max-width: 20rem; overflow-wrap: anywhere; font-size: 0.8125rem; }
.files a:not(:has(img)) { padding: 0.375rem 0.75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.files a:hover .file > span { text-decoration: underline; }
.file small { color: var(--soft); white-space: nowrap; }
.text:empty { display: none; }
#attach-state:empty { display: none; }
#attach { margin-left: auto; font-size: 0.875rem; }
#attach:not([hidden]) + .saved { margin-left: 0; }
.ticket-head { display: grid; gap: 0.25rem; margin-bottom: 0.25rem; }
.ticket-head > p { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.back { font-size: 0.875rem; text-decoration: none; font-weight: 500; }
.back::before { content: '←\\a0'; }
.ticket { display: grid; grid-template-columns: minmax(0, 1fr) 18.5rem; gap: 1.5rem; align-items: start; }
.talk { display: grid; gap: 1.25rem; }
.conversation { display: grid; gap: 0.875rem; }
.entry { max-width: 92%; padding: 0.875rem 1.125rem 1rem; border: 1px solid var(--line); border-radius: 12px;
  background: var(--panel); box-shadow: var(--shadow); scroll-margin-top: 1rem; }
.entry header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; margin-bottom: 0.5rem;
  font-size: 0.875rem; }
.entry strong { font-weight: 600; }
.entry time { margin-left: auto; color: var(--soft); font-size: 0.8125rem; }
.entry .badge { width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--grey-tint); color: var(--soft);
  font-size: 0.75rem; }
.entry .text { white-space: pre-wrap; max-width: 44rem; }
.text :is(h2, h3, h4) { font-size: 1rem; font-weight: 600; }
.text :is(h2, h3, h4, ul, ol, pre, blockquote, hr, details, .table) { margin: 0.375rem 0; }
.text :is(ul, ol) { padding-inline-start: 1.5rem; list-style: revert; }
.text code { direction: ltr; unicode-bidi: isolate; font: 0.9em ui-monospace, monospace; background: var(--grey-tint);
  padding: 0 0.25rem; border-radius: 4px; }
.text pre code { display: block; padding: 0.5rem; white-space: pre-wrap; }
.text blockquote { padding-inline-start: 0.75rem; border-inline-start: 3px solid var(--line); color: var(--soft); }
.text hr { border: 0; border-bottom: 1px solid var(--strong-line); }
.text summary { width: fit-content; cursor: pointer; color: var(--soft); font-size: 0.875rem; }
.text .table { overflow-x: auto; }
.text table { border-collapse: collapse; width: auto; }
.text :is(th, td) { padding: 0.25rem 0.5rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
.entry-agent { justify-self: end; background: var(--accent-tint); border-color: transparent; }
.entry-agent .badge { background: var(--accent); color: var(--accent-text); }
.entry-agent, .entry-customer, .entry-note { min-width: min(22rem, 92%); }
.entry-note { justify-self: end; background: var(--note); border: 1px dashed var(--note-line); box-shadow: none; }
.entry-note .badge { background: var(--note-line); color: var(--note-text); }
.entry.missed { outline: 2px solid var(--accent); }
.note-mark { background: none; padding: 0; color: var(--note-text); }
.here { min-height: 1.375rem; color: var(--warm); font-size: 0.875rem; font-weight: 550; }
.labelled .saved { margin-left: auto; }
.saved .line { flex-wrap: nowrap; }
.saved select { flex: 0 1 12rem; width: 12rem; }
.saved .quiet { font-size: 0.875rem; }
.choices { max-height: min(20rem, 45vh); overflow-y: auto; border: 1px solid var(--line); border-radius: 8px; }
.choices:empty { display: none; }
.choices li { display: grid; gap: 0.125rem; padding: 0.5rem 0.75rem; cursor: pointer; }
.choices li + li { border-top: 1px solid var(--line); }
.choices span { max-height: 2.7em; overflow: hidden; color: var(--soft); font-size: 0.8125rem; line-height: 1.35; }
.choices li:hover { background: var(--raised); }
.choices [aria-selected='true'] { background: var(--accent-tint); box-shadow: inset 3px 0 var(--accent); }
.assignee-now { flex: 1 1 6rem; font-size: 0.875rem; }
.labelled { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.625rem; margin-bottom: -0.375rem; }
.write-note { background: var(--note); border: 1px dashed var(--note-line); box-shadow: none; }
.merges:empty { display: none; }
.merges { padding: 0.75rem 1rem; border-radius: 12px; background: var(--grey-tint); display: grid; gap: 0.25rem;
  font-size: 0.875rem; }
.about-ticket { display: grid; gap: 1rem; position: sticky; top: 1.25rem; max-height: calc(100vh - 2.5rem); overflow-y: auto;
  margin: -4px; padding: 4px; }
.about-ticket dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 0.875rem; font-size: 0.875rem; }
.about-ticket dt { color: var(--soft); }
.about-ticket .none { color: var(--soft); }
.about-ticket .proved, .about-ticket .unproved { display: block; font-weight: 550; color: var(--accent); }
.about-ticket .unproved { color: var(--warm); }
.others { display: grid; gap: 0.5rem; font-size: 0.875rem; }
.others .status { font-size: 0.6875rem; line-height: 1.125rem; }
.others time { color: var(--soft); font-size: 0.8125rem; }
.others:empty { display: none; }

@media (max-width: 64rem) {
  .ticket { grid-template-columns: minmax(0, 1fr); }
  .about-ticket { position: static; max-height: none; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); align-items: start; }
}
@media (max-width: 52rem) {
  .entry { max-width: 97%; padding: 0.75rem 0.875rem 0.875rem; }
}
`;
