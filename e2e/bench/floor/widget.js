/* What the least widget costs: a button that opens a frame with a plain form. It has no styles to speak of, no languages, no keyboard handling, no state. */
const { origin } = new URL(document.currentScript.src);
const button = document.createElement('button');
button.id = 'floor-launcher';
button.textContent = 'Support';
button.style = 'position:fixed;right:16px;bottom:16px;z-index:9999;padding:12px';
let frame;
button.addEventListener('click', () => {
  if (frame) {
    frame.hidden = !frame.hidden;
    return;
  }
  frame = document.createElement('iframe');
  frame.src = `${origin}/floor/form.html`;
  frame.title = 'Support';
  frame.style = 'position:fixed;right:16px;bottom:72px;z-index:9999;width:360px;height:480px;background:#fff';
  document.body.append(frame);
});
document.body.append(button);
