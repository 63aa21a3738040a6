/** As many as a shop's list of products with its header, filters and footer. */
const cards = 400;
const rules = 2_000;

/**
 * Work in milliseconds of an unthrottled processor, expressed as a count. Unlike with a time limit, the work is the
 * same on every machine.
 */
const work = `function work(times) { let sum = 0; for (let i = 0; i < times * 1e5; i += 1) sum += Math.sqrt(i); return sum; }`;

/** Starts as analytics, a consent banner and a framework do, and goes on with timers. */
const scripts = `<script>${work}
addEventListener('DOMContentLoaded', () => {
  work(60);
  for (const card of document.querySelectorAll('.card'))
    card.querySelector('button').addEventListener('click', () => card.classList.toggle('chosen'));
});
addEventListener('load', () => work(40));
setInterval(() => work(4), 250);
let tick = 0;
setInterval(() => { document.getElementById('clock').textContent = 'Offer ends in ' + (3600 - (tick += 1)) + ' s'; }, 1000);
addEventListener('scroll', () => document.body.classList.toggle('scrolled', scrollY > 10), { passive: true });
</script>`;

/** A shop's page with this tag in it. */
export function heavyPage(tag: string): string {
  const styles = Array.from(
    { length: rules },
    (_, n) => `.r${n} .c${n % 40} > .x${n % 7}{color:hsl(${n % 360} 60% 40%);padding:${n % 9}px}`,
  ).join('');
  const products = Array.from(
    { length: cards },
    (_, n) =>
      `<article class="card r${n} c${n % 40}"><svg viewBox="0 0 40 30" width="160" height="120"><rect width="40" height="30" ` +
      `fill="hsl(${n % 360} 50% 70%)"/></svg><h2 class="x${n % 7}">Product ${n}</h2><p>Some words on product ${n}, ` +
      `as long as shops have them.</p><ul><li>In stock</li><li>Two days</li></ul><button>Choose</button></article>`,
  ).join('');
  const head =
    `<style>.list{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:12px}` +
    `.card{border:1px solid #ccc;box-shadow:0 2px 6px #0002;border-radius:8px;padding:8px}${styles}</style>${scripts}`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>A shop</title>${head}</head><body><h1>A shop</h1><p id="clock">Offer ends soon</p>` +
    `<main class="list">${products}</main>${tag}</body></html>`
  );
}
