import { afterEach, describe, expect, it, vi } from 'vitest';
import { submitIfPressed } from './form-before-scripts.ts';

const root = document.documentElement;
afterEach(() => delete root.dataset['submitted']);

const form = document.createElement('div');
form.innerHTML = '<input name="website" value="a bot was here">';

describe('a form in the document', () => {
  it('is submitted with its hidden field if “Send” was pressed before the app was loaded', () => {
    const submitTicket = vi.fn<(website?: string) => void>();
    root.dataset['submitted'] = '';
    submitIfPressed(form, { sending: { submitTicket } });
    expect(submitTicket).toHaveBeenCalledExactlyOnceWith('a bot was here');
  });

  it('is not submitted if “Send” was not pressed', () => {
    const submitTicket = vi.fn<(website?: string) => void>();
    submitIfPressed(form, { sending: { submitTicket } });
    expect(submitTicket).not.toHaveBeenCalled();
  });
});
