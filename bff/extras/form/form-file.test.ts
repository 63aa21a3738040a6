import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formFile, formOf } from './testing/form.ts';
import { siteForm } from './form.ts';
import { formJsonSchema, readForm } from './form-file.ts';

const errorsOf = (file: object) => readForm(JSON.stringify(file)).errors;

describe('the file of a form', () => {
  it('without an error is read, with a version that changes with its content', () => {
    const form = formOf({ $schema: './form.schema.json', ...formFile });
    expect(form.topics.map(({ id }) => id)).toEqual(['order', 'other']);
    expect(form.version).toMatch(/^[\da-f]{12}$/);
    expect(formOf().version).not.toBe(form.version);
    expect(form).not.toHaveProperty('$schema');
  });

  it('can have topics, fields or a consent alone', () => {
    const consent = { type: 'line', text: 'See the [privacy notice](https://shop.example/privacy).' };
    expect(errorsOf({ consent })).toEqual([]);
    expect(errorsOf({ topics: [{ id: 'a', label: 'A' }] })).toEqual([]);
    expect(errorsOf({})).toEqual(['has neither topics nor fields nor consent']);
  });

  it('with several errors has all of them named, each with its place', () => {
    const file = {
      topics: [
        { id: 'Order', label: { xx: 'Order' }, fields: ['nothing'] },
        { id: 'a', label: '' },
        { id: 'a', label: 'A', priority: 'soon' },
      ],
      fields: [
        { id: 'text', label: 'Text', type: 'text', pattern: '[A-Z]+', example: 'abc' },
        { id: 'list', label: 'a\nb', type: 'choice', options: [] },
        { id: 'constructor', label: 'Other', type: 'date' },
        { id: 'box', label: 'Box', type: 'checkbox', colour: 'red' },
      ],
      consent: { type: 'line', text: 'Read [this](javascript:alert)' },
    };
    const places = errorsOf(file).map((error) => error.split(': ')[0]);
    expect(places).toEqual(
      expect.arrayContaining([
        'topics[0].id',
        'topics[0].label',
        'topics[0].fields[0]',
        'topics[1].label',
        'topics[2].id',
        'topics[2].priority',
        'fields[0].example',
        'fields[1].label',
        'fields[1].options',
        'fields[2].type',
        'fields[3]',
        'consent.text',
      ]),
    );
    expect(errorsOf(file)).toContain('topics[2].id: stands twice');
  });

  it.each(['File', 'file ', 'File: link', { en: 'Document', de: 'File' }])(
    'may not call a field %j, by which lines with files begin',
    (label) => {
      const fields = [{ id: 'a', label, type: 'text' }];
      expect(errorsOf({ fields }).join()).toContain('fields[0].label: must not be "File"');
      expect(errorsOf({ topicLabel: label, topics: [{ id: 'a', label: 'A' }] })).toHaveLength(1);
    },
  );

  it('may call a field File name', () => {
    expect(errorsOf({ fields: [{ id: 'a', label: 'File name', type: 'text' }] })).toEqual([]);
  });

  it.each([
    ['a backreference, which takes more than linear time', '(a)\\1'],
    ['a lookahead', '(?=a)b'],
    ['what is no regular expression', '[a'],
    ['what a browser does not take', 'a\\Qb\\E'],
  ])('is refused for a pattern with %s', (_, pattern) => {
    const fields = [{ id: 'a', label: 'A', type: 'text', pattern }];
    expect(errorsOf({ fields })).toEqual([
      expect.stringMatching(/^fields\[0\]\.pattern: cannot be checked: /),
    ]);
  });

  it.each([
    ['no JSON', '{', /^is no JSON: /],
    ['longer than a document has room for', ' '.repeat(40_000), /^has more than 32768 characters$/],
    ['a list', '[]', /^Invalid input: expected object/],
  ])('that is %s is refused', (_, content, error) => {
    expect(readForm(content).errors[0]).toMatch(error);
  });
});

describe('the form that customers see', () => {
  it('is in the language of the document, else in English, else in the first language of the form', () => {
    const label = { fr: 'Sujet', it: 'Tema' };
    const { topics, fields } = siteForm(
      formOf({ ...formFile, topics: [...formFile.topics, { id: 'x', label }] }),
      'de',
    );
    expect(topics.map((topic) => topic.label)).toEqual(['Meine Bestellung', 'Something else', 'Sujet']);
    expect(topics[0]).toEqual({
      id: 'order',
      label: 'Meine Bestellung',
      hint: 'Tell us the order number.',
      articles: ['returns'],
      fields: ['order-number'],
    });
    expect(fields[1]).toMatchObject({ options: [{ id: 'berlin', label: 'Berlin-Mitte' }, { id: 'online' }] });
  });
});

it('the example of docs/form.md has no error', () => {
  const [, example] = /```json\n([^]+?)```/.exec(readFileSync('docs/form.md', 'utf8'))!;
  expect(readForm(example!).errors).toEqual([]);
});

/** `npx vitest run --project bff --update bff/extras/form/form-file.test.ts` writes the file again. */
it('docs/form.schema.json is generated from the schema of the file', async () => {
  const json = `${JSON.stringify(formJsonSchema(), null, 2)}\n`;
  await expect(json).toMatchFileSnapshot('../../../docs/form.schema.json');
});
