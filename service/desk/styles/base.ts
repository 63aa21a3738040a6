/** Colours, type, controls and the frame around every page. */
export const baseStyles = `
:root {
  color-scheme: light dark;
  --ground: #f6f5f2;
  --panel: #ffffff;
  --raised: #fbfaf8;
  --text: #1d1f21;
  --soft: #5f646b;
  --line: #e5e3de;
  --strong-line: #8b8f96;
  --accent: #0b6e5f;
  --accent-text: #ffffff;
  --accent-tint: #e2f1ee;
  --note: #fdf7e4;
  --note-line: #eadcae;
  --note-text: #735404;
  --bad: #b3261e;
  --bad-tint: #fcebe9;
  --warm: #8f4a00;
  --warm-tint: #fdf0e1;
  --blue: #1c5aa8;
  --blue-tint: #e7f0fb;
  --grey-tint: #eeedea;
  --shadow: 0 1px 2px rgb(30 25 15 / 5%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131416;
    --panel: #1b1d20;
    --raised: #202327;
    --text: #e9e8e6;
    --soft: #a1a6ad;
    --line: #2d3035;
    --strong-line: #70767e;
    --accent: #4cc0aa;
    --accent-text: #06211c;
    --accent-tint: #16312c;
    --note: #28230f;
    --note-line: #4b4018;
    --note-text: #e3c566;
    --bad: #ff9c93;
    --bad-tint: #3a1c1a;
    --warm: #f2b36b;
    --warm-tint: #352615;
    --blue: #8fbcf3;
    --blue-tint: #1a2a3e;
    --grey-tint: #2a2d31;
    --shadow: none;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 400 0.9375rem/1.55 ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  -webkit-text-size-adjust: 100%;
  overflow-wrap: anywhere;
}
h1, h2, p, ul, ol, dl, dd, fieldset { margin: 0; padding: 0; border: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.375rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 0.9375rem; font-weight: 650; }
a { color: var(--accent); text-underline-offset: 0.15em; }
code { font: 0.875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
time { white-space: nowrap; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 0.5rem; top: -4rem; z-index: 2; padding: 0.5rem 0.75rem; border-radius: 8px;
  background: var(--accent); color: var(--accent-text); }
.skip:focus { top: 0.5rem; }

.frame { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); min-height: 100vh; min-height: 100dvh; }
.side { position: sticky; top: 0; height: 100vh; height: 100dvh; display: flex; flex-direction: column; gap: 1.25rem;
  padding: 1.25rem 0.875rem; border-right: 1px solid var(--line); }
.workspace { display: flex; align-items: center; gap: 0.625rem; padding: 0 0.375rem; font-weight: 600; }
.side nav { display: grid; gap: 2px; }
.side nav a { padding: 0.4rem 0.625rem; border-radius: 8px; color: var(--soft); text-decoration: none; font-weight: 500; }
.side nav a:hover { background: var(--grey-tint); color: var(--text); }
.side nav a[aria-current] { background: var(--grey-tint); color: var(--text); font-weight: 600; }
.who { margin-top: auto; display: grid; gap: 0.25rem; justify-items: start; padding: 0 0.625rem; font-size: 0.8125rem; }
.who .email { color: var(--soft); }
main { padding: 1.75rem 2rem 4rem; max-width: 75rem; width: 100%; }
.badge { flex: none; display: inline-grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: 8px;
  background: var(--accent); color: var(--accent-text); font-size: 0.8125rem; font-weight: 650; }

label, legend, .label { font-weight: 550; font-size: 0.875rem; }
input:not([type='checkbox']), textarea, select {
  width: 100%; min-height: 2.375rem; padding: 0.4375rem 0.6875rem; border: 1px solid var(--strong-line);
  border-radius: 8px; background: var(--panel); color: inherit; font: inherit; font-weight: 400;
}
legend { padding: 0; }
textarea { display: block; resize: vertical; line-height: 1.55; }
input::placeholder { color: var(--soft); opacity: 1; }
input[type='checkbox'] { width: 1.0625rem; height: 1.0625rem; margin: 0; accent-color: var(--accent); }
button {
  min-height: 2.375rem; padding: 0.375rem 0.9375rem; border: 1px solid transparent; border-radius: 8px;
  background: var(--accent); color: var(--accent-text); font: inherit; font-weight: 600; cursor: pointer;
  white-space: nowrap;
}
button:hover { filter: brightness(1.08); }
button.plain { background: var(--panel); color: var(--text); border-color: var(--line); font-weight: 550; }
button.plain:hover { background: var(--grey-tint); filter: none; }
button.plain.danger { color: var(--bad); }
button.danger:not(.plain) { background: var(--bad); color: var(--panel); }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
button.quiet { min-height: 1.75rem; padding: 0; background: none; color: var(--soft); font-weight: 500;
  text-decoration: underline; text-underline-offset: 0.15em; }
button.quiet:hover { color: var(--text); }

.card { padding: 1.125rem 1.25rem; border: 1px solid var(--line); border-radius: 12px; background: var(--panel);
  box-shadow: var(--shadow); }
.stack { display: grid; gap: 0.875rem; }
.stack > button { justify-self: start; }
.stack > label:not(.check) { display: grid; gap: 0.3rem; }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.5rem; }
.line > label:not(.unseen), .line > .label { flex: 1 0 100%; }
.line > input, .line > select { flex: 1 1 6rem; width: auto; min-width: 0; }
.check { display: flex; align-items: center; gap: 0.5rem; padding: 0.25rem 0; font-weight: 400; }
.field { display: grid; gap: 0.3rem; }
.dialog { width: min(34rem, calc(100vw - 2rem)); padding: 1.25rem; border: 1px solid var(--line); border-radius: 12px;
  background: var(--panel); color: inherit; box-shadow: 0 8px 32px rgb(0 0 0 / 25%); }
.dialog::backdrop { background: rgb(0 0 0 / 35%); }
.dialog .keys { display: grid; gap: 0.375rem; }
.dialog .keys > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0.75rem; align-items: baseline; }
kbd { padding: 0.0625rem 0.375rem; border: 1px solid var(--line); border-radius: 6px; background: var(--grey-tint);
  font: 0.8125rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.hint { color: var(--soft); font-size: 0.8125rem; }
.fault { flex: 1 0 100%; padding: 0.5rem 0.75rem; border-radius: 8px; background: var(--bad-tint); color: var(--bad);
  font-size: 0.875rem; }
.notice { display: block; margin-bottom: 1.25rem; padding: 0.5625rem 0.875rem; border-radius: 8px; background: var(--accent-tint);
  color: var(--accent); font-weight: 550; font-size: 0.875rem; }
.alone { display: grid; place-items: center; min-height: 100vh; min-height: 100dvh; max-width: none; padding: 1.5rem; }
.alone .card { width: min(23rem, 100%); padding: 1.75rem; }
.alone .stack > button { justify-self: stretch; margin-top: 0.25rem; }

@media (max-width: 52rem) {
  input:not([type='checkbox']), textarea, select { font-size: 1rem; }
  .frame { display: block; }
  .side { position: static; height: auto; display: grid; grid-template-columns: 1fr auto; gap: 0.5rem; align-items: center;
    padding: 0.75rem 1rem 0; border-right: 0; border-bottom: 1px solid var(--line); }
  .side nav { grid-row: 2; grid-column: 1 / -1; display: flex; overflow-x: auto; gap: 0.25rem; margin: 0 -0.5rem; padding: 2px 2px 0.5rem; }
  .side nav a { white-space: nowrap; }
  .workspace { padding: 0; }
  .who { margin: 0; padding: 0; display: flex; gap: 1rem; }
  .who .email { display: none; }
  .dialog .keys > div { grid-template-columns: 7rem minmax(0, 1fr); }
  main { padding: 1.125rem 1rem 3rem; }
}
@media (hover: none) {
  #show-keys { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .side nav a, .rows > li { transition: background-color 0.12s; }
}
`;
