/** The modal dialog of sites that have no library for it. It needs no script of the site. */
export const dialog = `<button command="show-modal" commandfor="site-dialog">Open dialog</button>
<dialog id="site-dialog">
  <form method="dialog">
    <label>Name <input /></label>
    <button>Close dialog</button>
  </form>
</dialog>`;

/** React's types do not know these attributes yet. */
export const jsxDialog = dialog.replace(
  'command="show-modal" commandfor="site-dialog"',
  `{...{ command: 'show-modal', commandfor: 'site-dialog' }}`,
);
