/** Lists: tickets, customers, keys, webhooks. */
export const pageStyles = `
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 1.5rem;
  margin-bottom: 1rem; }
.head search { flex: 0 1 26rem; }
.search { display: flex; gap: 0.5rem; }
.lead { max-width: 44rem; margin-bottom: 1.25rem; color: var(--soft); }
main > h2 { margin: 2rem 0 0.75rem; }
main > .card { max-width: 44rem; margin-bottom: 1.5rem; }

.tabs { display: flex; gap: 0.25rem; overflow-x: auto; margin: 0 -0.5rem 0.75rem; padding: 3px; }
.tabs a { padding: 0.3125rem 0.6875rem; border-radius: 999px; color: var(--soft); text-decoration: none; white-space: nowrap;
  font-size: 0.875rem; font-weight: 500; }
.tabs a:hover { background: var(--grey-tint); color: var(--text); }
.tabs a[aria-current] { background: var(--accent-tint); color: var(--accent); font-weight: 600; }
.count { font-variant-numeric: tabular-nums; font-size: 0.8125rem; font-weight: 500; }

.rows { border: 1px solid var(--line); border-radius: 12px; background: var(--panel); box-shadow: var(--shadow); }
.rows > li { position: relative; display: flex; align-items: center; gap: 0.75rem 1rem; padding: 0.6875rem 1.125rem; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li:first-child { border-radius: 11px 11px 0 0; }
.rows > li:last-child { border-radius: 0 0 11px 11px; }
.rows > li:only-child { border-radius: 11px; }
.rows .off strong { color: var(--soft); font-weight: 500; }
.person { display: grid; flex: 1 1 14rem; min-width: 0; }
.person strong { font-weight: 600; }
.person .email, .person code, .facts { color: var(--soft); font-size: 0.8125rem; }

.tickets > li { display: grid; grid-template-columns: 10.5rem minmax(0, 1fr) auto 2.75rem 3.5rem; padding-left: 1.75rem; }
.tickets > li:hover { background: var(--raised); }
.tickets a { color: inherit; text-decoration: none; font-weight: 500; }
.tickets a::after { content: ''; position: absolute; inset: 0; border-radius: inherit; }
.tickets a:focus-visible { outline: none; }
.tickets a:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -2px; }
.tickets .waiting::before { content: ''; position: absolute; left: 0.75rem; top: 50%; width: 0.4375rem; height: 0.4375rem;
  margin-top: -0.21875rem; border-radius: 50%; background: var(--accent); }
.tickets .waiting a, .tickets .waiting .from { font-weight: 650; color: var(--text); }
.tickets .from { color: var(--soft); }
.from, .about, .preview { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.about > a { margin-right: 0.5rem; }
.preview, .tickets time, .number { color: var(--soft); font-size: 0.875rem; }
.preview { overflow: visible; }
.tickets time, .tickets .number { text-align: right; font-variant-numeric: tabular-nums; font-size: 0.8125rem; }
.marks { display: flex; flex-wrap: wrap; gap: 0.25rem 0.375rem; justify-content: flex-end; align-items: center; }
.assignee { color: var(--soft); font-size: 0.8125rem; }
.answers .facts { display: block; max-height: 2.6em; overflow: hidden; }
.answers > li > form { flex: none; }

.status, .priority, .fresh, .note-mark { display: inline-block; padding: 0 0.5rem; border-radius: 999px; font-size: 0.75rem;
  line-height: 1.375rem; font-weight: 600; white-space: nowrap; background: var(--grey-tint); color: var(--soft); }
.fresh { background: var(--accent); color: var(--accent-text); }
.status::first-letter, .priority::first-letter { text-transform: uppercase; }
.status-new { background: var(--accent-tint); color: var(--accent); }
.status-open { background: var(--blue-tint); color: var(--blue); }
.status-pending { background: var(--warm-tint); color: var(--warm); }
.status-delivered { background: var(--accent-tint); color: var(--accent); }
.status-failed, .priority-urgent { background: var(--bad-tint); color: var(--bad); }
.priority-high { background: var(--warm-tint); color: var(--warm); }

.pages { display: flex; gap: 1.25rem; margin-top: 1rem; }
.empty { padding: 3.5rem 1.5rem; border: 1px dashed var(--line); border-radius: 12px; text-align: center; color: var(--soft); }
.empty-title { margin-bottom: 0.25rem; color: var(--text); font-weight: 600; }
.once { margin-bottom: 1.5rem; max-width: 44rem; padding: 1rem 1.25rem; border-radius: 12px; background: var(--accent-tint);
  display: grid; gap: 0.5rem; }
.once code { display: block; padding: 0.625rem 0.75rem; border-radius: 8px; background: var(--panel); user-select: all;
  font-size: 0.9375rem; }
.customers > li > a { flex: none; width: 5.5rem; }
.customers .line { flex: 0 1 20rem; flex-wrap: nowrap; }
.deliveries > li { display: block; }
.deliveries summary { display: flex; flex-wrap: wrap; gap: 0.25rem 0.875rem; align-items: center; cursor: pointer; }
.deliveries summary::before { content: '›'; width: 0.5rem; color: var(--soft); font-weight: 700; }
.deliveries [open] summary::before { rotate: 90deg; }
.deliveries .event { font-weight: 550; }
.deliveries .url { flex: 1 1 12rem; min-width: 0; }
.deliveries .url, .deliveries time, .attempts { color: var(--soft); font-size: 0.8125rem; }
.attempts { display: grid; gap: 0.25rem; padding: 0.625rem 0 0.25rem; }

.tickets .raised-urgent { box-shadow: inset 4px 0 var(--bad); background: color-mix(in srgb, var(--bad-tint) 45%, var(--panel)); }
.tickets .raised-high { box-shadow: inset 4px 0 var(--warm); }
.tickets .raised-urgent::before { background: var(--bad); }
.tickets .raised-high::before { background: var(--warm); }
main[data-version] { overflow-anchor: none; }
.live:not(:empty) { position: fixed; z-index: 3; top: 1rem; left: 50%; translate: -50% 0; display: flex; align-items: center;
  gap: 0.875rem; width: max-content; max-width: calc(100vw - 2rem); padding: 0.5rem 0.625rem 0.5rem 1rem; border-radius: 12px;
  background: var(--text); color: var(--ground); font-size: 0.875rem; font-weight: 550; box-shadow: 0 4px 16px rgb(0 0 0 / 25%); }
.live button { min-height: 2rem; padding: 0.125rem 0.75rem; background: var(--ground); color: var(--text); }
.confirm .two { display: grid; gap: 0.25rem; }
.confirm dt { color: var(--soft); font-size: 0.8125rem; }
.confirm dd + dt { margin-top: 0.5rem; }
.confirm .facts { color: var(--soft); font-size: 0.8125rem; }
.confirm .warning { padding: 0.5rem 0.75rem; border-radius: 8px; background: var(--warm-tint); color: var(--warm); font-weight: 550; }
.confirm .buttons a { padding: 0.375rem 0.5rem; }

@media (prefers-reduced-motion: no-preference) {
  .arrived { animation: arrived 3s ease-out; }
  @keyframes arrived { from { outline: 2px solid var(--accent); } to { outline: 2px solid transparent; } }
}
@media (max-width: 52rem) {
  .head search { flex: 1 1 100%; }
  .rows > li { flex-wrap: wrap; padding: 0.75rem 1rem; }
  .tabs { margin-right: -1rem; }
  .tickets > li { grid-template-columns: minmax(0, 1fr) auto; gap: 0.25rem 0.75rem; padding-left: 1.75rem; }
  .tickets .from { grid-area: 1 / 1; font-size: 0.875rem; }
  .tickets time { grid-area: 1 / 2; }
  .tickets .about { grid-column: 1 / -1; white-space: normal; }
  .tickets .preview { display: block; overflow: hidden; }
  .tickets .marks { justify-content: flex-start; }
  .tickets .waiting::before { top: 1.5rem; left: 0.75rem; }
  .rows .person, .customers .line { flex: 1 1 100%; }
  .rows .facts:not(.person *) { margin-right: auto; }
}
`;
