/** Every sentence that the loader itself can show; the rest of the words live in the app. */
export const words = {
  open: 'Open support',
  close: 'Close support',
  title: 'Support',
  unread: 'unread',
  failed: 'Support could not be loaded.',
  retry: 'Try again',
};
