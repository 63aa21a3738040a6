/** Every sentence that the core itself can show; the rest of the words live in the guest and the app. */
export const english = {
  open: 'Open support',
  close: 'Close support',
  title: 'Support',
  failed: 'Support couldn’t load.',
  retry: 'Try again',
};

export type Words = typeof english;
