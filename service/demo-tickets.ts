import type { NewTicket } from './tickets/create-ticket.ts';
import type { Status } from './tickets/model.ts';

interface DemoTicket {
  hoursAgo: number;
  ticket: NewTicket;
  company?: string;
  /** If it is absent, the conversation sets it. */
  status?: Status;
  entries: { by: 'customer' | 'agent' | 'note'; hoursAgo: number; body: string }[];
}

export const demoAnswers = [
  {
    name: 'Ask for a photo',
    text: 'Hello {name},\n\nplease send us a photo of it, so that we can see what happened.\n\n{agent}',
  },
  {
    name: 'Sent again',
    text: 'Hello {name},\n\nwe are sorry. A new one leaves tomorrow; the number of your request is {number}.\n\n{agent}',
  },
];

/** Tickets of "Kettle & Clay", a tea and ceramics shop, oldest first. */
export const demoTickets: readonly DemoTicket[] = [
  {
    hoursAgo: 26 * 24,
    ticket: {
      subject: 'Do you ship to Norway?',
      description:
        'Hello, I would love two of the ash-glaze bowls. Do you ship to Norway, and what about customs?',
      customer_email: 'ingrid@example.com',
      customer_name: 'Ingrid',
      priority: 'low',
    },
    status: 'closed',
    entries: [
      {
        by: 'agent',
        hoursAgo: 26 * 24 - 3,
        body: 'Hello Ingrid,\n\nyes, we do: 14 € flat, four to six working days. Customs are paid at checkout, so nothing is due at your door.',
      },
      { by: 'customer', hoursAgo: 25 * 24, body: 'Perfect, ordered. Thank you!' },
    ],
  },
  {
    hoursAgo: 9 * 24,
    ticket: {
      subject: 'Invoice with our VAT number',
      description:
        'Hi,\n\ncould we get the invoice for order KC-2291 with our VAT number on it? It is the twelve lidded cups for the tasting room.\n\nThanks',
      customer_email: 'orders@harbour-tearoom.example.com',
      customer_name: 'Tomas',
      priority: 'medium',
    },
    company: 'Harbour Tearoom',
    status: 'solved',
    entries: [
      {
        by: 'note',
        hoursAgo: 9 * 24 - 1,
        body: 'Wholesale customer since spring. Always wants the VAT number: put it into their account.',
      },
      {
        by: 'agent',
        hoursAgo: 9 * 24 - 2,
        body: 'Hi Tomas,\n\nthe corrected invoice is on its way to you, and your number will be on every one from now on.',
      },
    ],
  },
  {
    hoursAgo: 4 * 24,
    ticket: {
      subject: 'Cast iron kettle: rust inside after a week',
      description:
        'Good morning,\n\nI bought the small cast iron kettle two weeks ago. There are now brown spots inside near the spout. I only use it for water. Is this normal, or did I do something wrong?',
      customer_email: 'mira.o@example.com',
      customer_name: 'Mira',
      priority: 'medium',
    },
    status: 'pending',
    entries: [
      {
        by: 'agent',
        hoursAgo: 4 * 24 - 5,
        body: 'Good morning Mira,\n\nsome brown is normal and harmless. Boil a handful of green tea leaves in it for 20 minutes, pour out, and let it dry with the lid off. Could you send a photo if it comes back?',
      },
    ],
  },
  {
    hoursAgo: 31,
    ticket: {
      subject: 'One cup arrived broken',
      description:
        'Hello,\n\nmy order KC-2347 came today. The parcel looked fine, but one of the four speckled cups has lost its handle. They were meant as a birthday present for Saturday.',
      customer_email: 'jonas.w@example.com',
      customer_name: 'Jonas',
      priority: 'high',
    },
    entries: [
      {
        by: 'agent',
        hoursAgo: 29,
        body: 'Hello Jonas,\n\nI am sorry about the cup. A new one can leave today and be with you on Friday. Shall it go to the same address?',
      },
      {
        by: 'note',
        hoursAgo: 29,
        body: 'Last speckled cup is on the shelf by the kiln. Reserved for him, do not sell.',
      },
      { by: 'customer', hoursAgo: 2, body: 'Yes please, the same address. That would save the birthday 🎂' },
    ],
  },
  {
    hoursAgo: 6,
    ticket: {
      subject: 'Which oolong for somebody who drinks coffee?',
      description:
        'My father drinks nothing but strong coffee and I want to convert him. Which of your oolongs is the darkest? He takes no milk.',
      customer_email: 'lea@example.com',
      customer_name: null,
      priority: 'low',
    },
    entries: [],
  },
  {
    hoursAgo: 0.6,
    ticket: {
      subject: 'Wrong address on order KC-2360!',
      description:
        'I have just ordered and saw too late that my old address was filled in. Please send it to the new one, it is in my account. The order is 20 minutes old.',
      customer_email: 'sam.k@example.com',
      customer_name: 'Sam',
      priority: 'urgent',
    },
    entries: [],
  },
];
