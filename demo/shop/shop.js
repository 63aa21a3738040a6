// Any page can open support with a few lines of its own; the stub keeps the calls that are made before the widget is loaded.
window.Deskside ||= function () {
  (window.Deskside.q ||= []).push(arguments);
};

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-support]');
  if (!button) return;
  if (button.dataset.support) window.Deskside('prefill', { subject: button.dataset.support });
  window.Deskside('open', button.dataset.support ? { view: 'new' } : undefined);
});
