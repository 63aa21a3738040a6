import { codeMessage } from '../../../bff/extras/mails/short-messages.ts';
import { ticketMessage } from '../../../bff/extras/mails/ticket-message.ts';
import { chippedId } from '../scenes.ts';
import { type Copy, copies } from '../copy.ts';

/** A teapot of one colour: dark, as many logos are. */
const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#1f2a44" d="M6 13h16v9a5 5 0 0 1-5 5h-6a5 5 0 0 1-5-5zm8-7a2 2 0 0 1 2 3h5v2H7V9h5a2 2 0 0 1 2-3zm9 8h3a3 3 0 0 1 0 8h-4v-2h4a1 1 0 0 0 0-4h-3z"/></svg>',
)}`;

const links = {
  number: '1042',
  link: `https://support.example.com/?ticket=${chippedId}`,
  unsubscribeLink: 'https://support.example.com/unsubscribe/dG9rZW4',
};

/** The HTML of each kind of mail in a language, in several looks of brands. */
export async function mailsIn(language: keyof typeof copies): Promise<Record<string, string>> {
  const copy: Copy = copies[language];
  const sender = (look: { color?: string; logo?: string } = {}) => ({
    brand: copy.brand,
    host: 'support.example.com',
    color: look.color ?? null,
    logo: look.logo ?? null,
  });
  const about = { ...links, language, reference: '1042-1', answers: 'ticket' as const, replyTime: null };
  const [answer, unproven, confirmation, code] = await Promise.all([
    ticketMessage(
      {
        ...about,
        kind: 'answer',
        texts: [copy.answer, `${copy.question}\n\n- **${copy.name}**\n- ${copy.more}`],
      },
      sender({ color: '#a8482a', logo }),
    ),
    ticketMessage(
      { ...about, kind: 'answer', texts: null, answers: 'nowhere' },
      sender({ color: '#101216' }),
    ),
    ticketMessage(
      { ...about, kind: 'confirmation', texts: [copy.problem] },
      sender({ color: '#ffe08a', logo }),
    ),
    codeMessage({ code: '012345', language, ...sender() }),
  ]);
  return { answer: answer.html, unproven: unproven.html, confirmation: confirmation.html, code: code.html };
}
