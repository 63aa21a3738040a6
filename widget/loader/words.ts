/** Every sentence that the core itself can show; the rest of the words live in the guest and the app. */
export const english = {
  open: 'Open support',
  close: 'Close support',
  title: 'Support',
  failed: 'Support could not be loaded.',
  retry: 'Try again',
};

export type Words = typeof english;
