// A new mail shows at once. The page keeps its address, so the mail that somebody reads stays on screen.
new EventSource('/mails/events').addEventListener('message', () => {
  // Not while somebody writes an answer.
  if (!document.querySelector('textarea')?.value) location.reload();
});
