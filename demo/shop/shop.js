// Any page can open support with a few lines of its own; the stub keeps the calls that are made before the widget is loaded.
window.Deskside ||= function () {
  (window.Deskside.q ||= []).push(arguments);
};

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-support]');
  if (!button) return;
  const { support, topic, order } = button.dataset;
  if (!support) return window.Deskside('open');
  window.Deskside('prefill', {
    subject: support,
    ...(topic && { topic }),
    ...(order && { fields: { 'order-number': order } }),
  });
  window.Deskside('open', { view: 'new' });
});
