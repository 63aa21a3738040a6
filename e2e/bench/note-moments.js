/*
 * Runs in each document of a bench. Notes in `moments` when the launcher, a field to type in and its frame were painted, and
 * when the launcher was pressed. Playwright itself looks only every half second.
 */
{
  const moments = {};
  window.moments = moments;
  const note = (moment, ms) => (moments[moment] ??= performance.timeOrigin + ms);
  const whenPainted = (moment, selector) => {
    const root = document.querySelector('deskside-root')?.shadowRoot ?? document;
    if (root.querySelector(selector)?.checkVisibility({ visibilityProperty: true }))
      setTimeout(() => note(moment, performance.now()));
    else requestAnimationFrame(() => whenPainted(moment, selector));
  };
  if (window === top) {
    whenPainted('launcher', 'button[aria-expanded], #floor-launcher');
    addEventListener(
      'pointerdown',
      ({ timeStamp }) => {
        note('press', timeStamp);
        whenPainted('frame', 'iframe');
      },
      { capture: true, once: true },
    );
  } else whenPainted('field', '[name=description]');
}
