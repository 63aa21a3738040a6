import { type Form, readForm } from '../form-file.ts';

/** A file of an operator, with one of everything. */
export const formFile = {
  topics: [
    {
      id: 'order',
      label: { de: 'Meine Bestellung', en: 'My order' },
      priority: 'high',
      hint: { en: 'Tell us the order number.' },
      articles: ['returns'],
      fields: ['order-number'],
    },
    { id: 'other', label: 'Something else' },
  ],
  fields: [
    {
      id: 'order-number',
      label: { en: 'Order number', de: 'Bestellnummer' },
      type: 'text',
      pattern: '[A-Z]{2}-\\d{6}',
      example: 'AB-123456',
      required: true,
    },
    {
      id: 'shop',
      label: 'Shop',
      type: 'choice',
      options: [
        { id: 'berlin', label: { de: 'Berlin-Mitte', en: 'Berlin' } },
        { id: 'online', label: 'Online' },
      ],
    },
    { id: 'urgent', label: 'It is urgent', type: 'checkbox' },
  ],
};

/** The form of such a file. */
export function formOf(file: object = formFile): Form {
  const { form, errors } = readForm(JSON.stringify(file));
  if (!form) throw new Error(errors.join('\n'));
  return form;
}
