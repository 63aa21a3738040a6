import { fireEvent, screen, within } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import type { Article, ArticleNode } from '../../../shared/contract/articles.ts';
import type { SupportHours } from '../../../shared/contract/site.ts';
import { createSite } from '../site/site.tsx';
import { aTicket, fakeClock, settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';
import { createArticleModel } from './model.ts';
import { articleViews } from './articles.tsx';
import { anArticle, aSiteWithArticles, fakeArticles } from './test-articles.ts';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

async function showArticles(
  articles: Record<string, Article> = { returns: anArticle() },
  more: Parameters<typeof showApp>[0] = {},
  hours?: SupportHours,
) {
  const clock = fakeClock();
  const { api, asked } = fakeArticles({ articles });
  const listed = { id: 'returns', title: 'Returning an order', summary: 'Send it back.' };
  const model = createArticleModel({
    site: aSiteWithArticles(),
    api,
    clock,
    importFinder: async () => ({
      createFinder: async () => ({
        find: (query) => (query === 'none' ? [] : [listed]),
        suggest: () => [listed],
      }),
    }),
  });
  const views = articleViews(model);
  app = await showApp({
    site: { ...createSite({ sentences: {}, ...(hours && { hours }) }, 'en'), ...views },
    ...more,
  });
  const open = async (id: string) => {
    views.open(app.models.view, id);
    await settle();
  };
  return { clock, asked, open };
}
async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}
async function type(label: string, value: string) {
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
  await settle();
}
const heading = () => screen.getByRole('heading', { level: 1 });

describe('the start view', () => {
  it('greets a customer without tickets, and offers search, the most useful articles and a new ticket', async () => {
    await showArticles();
    expect(heading().textContent).toBe('How can we help?');
    screen.getByRole('searchbox', { name: 'Search for answers' });
    const list = screen.getByRole('list', { name: 'Helpful articles' });
    expect(within(list).getAllByRole('button')).toHaveLength(2);
    expect(within(list).getByText('Mehrwertsteuer').closest('li')!.lang).toBe('de');
    expect(screen.queryByLabelText('Message')).toBeNull();
    await press('New ticket');
    screen.getByLabelText('Message');
    await press('Back');
    expect(heading().textContent).toBe('How can we help?');
  });

  it('lists the tickets of a customer who has some, and offers search', async () => {
    await showArticles(undefined, { tickets: [aTicket()] });
    screen.getByRole('list', { name: 'Your tickets' });
    expect(screen.queryByRole('searchbox')).toBeNull();
    await press('Find answers');
    expect(heading().textContent).toBe('Find answers');
    screen.getByRole('searchbox', { name: 'Search for answers' });
    await press('Back');
    screen.getByRole('list', { name: 'Your tickets' });
  });

  const asks = () => screen.queryByRole('button', { name: 'New ticket' }) !== null;
  it.each([
    ['articles', 'closed', false],
    ['articles', 'open', true],
    ['hide', 'closed', true],
  ] as const)(
    'with “%s” for closed hours, while they are %s, leads to the form: %s',
    async (whenClosed, state, leads) => {
      const hours = { isOpen: state === 'open', changes: [] };
      await showArticles(undefined, { settings: { whenClosed } }, hours);
      expect(asks()).toBe(leads);
      await press('Returning an order');
      expect(asks()).toBe(leads);
    },
  );

  it('leads customers with tickets to the form also where the site wants only articles', async () => {
    const settings = { whenClosed: 'articles' } as const;
    await showArticles(undefined, { settings, tickets: [aTicket()] }, { isOpen: false, changes: [] });
    expect(asks()).toBe(true);
  });

  it('shows only the form when there are no articles', async () => {
    app = await showApp({ site: createSite({ sentences: {} }, 'en') });
    screen.getByLabelText('Message');
    expect(screen.queryByRole('searchbox')).toBeNull();
  });
});

describe('search', () => {
  it('shows what it finds with its summary, says how many, and opens one', async () => {
    await showArticles();
    await type('Search for answers', 'return');
    expect(screen.getByText('Results: 1').tagName).toBe('OUTPUT');
    screen.getByText('Send it back.');
    expect(screen.queryByText('Helpful articles')).toBeNull();
    await press('Returning an order Send it back.');
    expect(heading().textContent).toBe('Returning an order');
    await press('Back');
    expect(screen.getByLabelText<HTMLInputElement>('Search for answers').value).toBe('return');
  });

  it('that finds nothing says so, and offers a new ticket', async () => {
    await showArticles();
    await type('Search for answers', 'none');
    expect(screen.getByText(/^Nothing found/).tagName).toBe('OUTPUT');
    screen.getByRole('button', { name: 'New ticket' });
  });

  it('is ended by Escape, which closes the panel only when the field is empty', async () => {
    await showArticles(undefined, { isEmbedded: true });
    app.models.isOpen.value = true;
    await type('Search for answers', 'return');
    const field = screen.getByLabelText('Search for answers');
    fireEvent.keyDown(field, { key: 'Escape' });
    await settle();
    expect(app.closes).toEqual([]);
    screen.getByText('Helpful articles');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(app.closes).toEqual(['close']);
  });
});

describe('an article', () => {
  it('asks once whether it helped, and a “no” leads to a new ticket', async () => {
    const { asked, open } = await showArticles();
    await open('returns');
    screen.getByText('Did this help?');
    await press('No');
    const message = screen.getByText(/^Sorry about that/);
    expect(document.activeElement).toBe(message);
    expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull();
    expect(asked).toContain('vote returns false');
    await press('New ticket');
    screen.getByLabelText('Message');
  });

  it('moves the focus to its title, and leads back to where it was opened', async () => {
    const linked = anArticle({ nodes: [{ type: 'article', id: 'vat', children: ['VAT'] }] });
    const { open } = await showArticles({
      returns: linked,
      vat: anArticle({ title: 'VAT', lang: 'de', dir: 'ltr' }),
    });
    await open('returns');
    expect(document.activeElement).toBe(heading());
    await press('VAT');
    expect([heading().textContent, heading().lang]).toEqual(['VAT', 'de']);
    expect(document.activeElement).toBe(heading());
    await press('Back');
    expect(heading().textContent).toBe('Returning an order');
    await press('Back');
    screen.getByRole('searchbox');
  });

  it('is shown at the heading that a link names, which takes the focus, also in the article on screen', async () => {
    const scrolled: string[] = [];
    HTMLElement.prototype.scrollIntoView = function () {
      scrolled.push(this.id || this.tagName);
    };
    const to = (id: string, part: string, text: string): ArticleNode => ({
      type: 'article',
      id,
      part,
      children: [text],
    });
    const fees: ArticleNode = { type: 'heading', level: 2, id: 'gebühr', children: ['Gebühr'] };
    const { open } = await showArticles({
      returns: anArticle({ nodes: [to('vat', 'gebühr', 'Fees'), to('vat', 'gone', 'Gone')] }),
      vat: anArticle({
        title: 'VAT',
        nodes: [fees, to('vat', 'gebühr', 'Down'), { type: 'article', id: 'vat', children: ['Up'] }],
      }),
    });
    await open('returns');
    expect(scrolled).toEqual([]);
    await press('Fees');
    const part = screen.getByRole('heading', { level: 2 });
    expect([scrolled.splice(0), document.activeElement]).toEqual([['part-gebühr'], part]);
    await press('Up');
    expect([scrolled.splice(0), document.activeElement]).toEqual([['ARTICLE'], heading()]);
    await press('Down');
    expect([scrolled.splice(0), document.activeElement]).toEqual([['part-gebühr'], part]);
    await press('Back');
    expect(heading().textContent).toBe('Returning an order');
    await press('Gone');
    expect([scrolled, document.activeElement]).toEqual([[], heading()]);
  });

  it.each(['missing', '../session', 'UPPER', ''])(
    'with the id %j does not exist, so the start view is shown',
    async (id) => {
      const { open, asked } = await showArticles();
      await open(id);
      screen.getByRole('searchbox');
      expect(asked).toEqual(id === 'missing' ? ['article missing'] : []);
    },
  );

  it('is drawn as elements, and never as HTML', async () => {
    const { open } = await showArticles({
      returns: anArticle({
        nodes: [
          { type: 'heading', level: 3, children: ['<b>Steps</b>'] },
          { type: 'list', start: 2, children: [{ type: 'item', children: ['two'] }] },
          { type: 'list', children: [{ type: 'item', children: [{ type: 'emphasis', children: ['a'] }] }] },
          { type: 'link', url: 'https://a.example/', children: ['out'] },
          { type: 'link', url: 'javascript:alert(1)', children: ['hostile'] },
          { type: 'image', path: 'en/box.png', alt: 'A box' },
          { type: 'code', text: '<script>' },
          { type: 'table', rows: [[['Paid by']], [['Card']]] },
          { type: 'thematicBreak' },
          'a',
          { type: 'break' },
          { type: 'inlineCode', text: 'b' },
        ],
      }),
    });
    await open('returns');
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('<b>Steps</b>');
    expect(app.root.querySelector('ol')!.getAttribute('start')).toBe('2');
    expect(screen.getByRole('link', { name: 'out' }).getAttribute('rel')).toBe(
      'noopener noreferrer nofollow',
    );
    expect(screen.queryByRole('link', { name: 'hostile' })).toBeNull();
    const image = screen.getByRole<HTMLImageElement>('img', { name: 'A box' });
    expect([image.getAttribute('src'), image.getAttribute('loading')]).toEqual(['/files/en/box.png', 'lazy']);
    expect(app.root.querySelector('pre')!.textContent).toBe('<script>');
    screen.getByRole('columnheader', { name: 'Paid by' });
    expect(screen.getByRole('cell', { name: 'Card' }).closest('[tabindex="0"]')).not.toBeNull();
  });
});

describe('suggestions', () => {
  it('are shown below the message, and reading one keeps the draft', async () => {
    const { clock } = await showArticles();
    await press('New ticket');
    await type('Message', 'My pot is broken');
    expect(screen.queryByRole('list', { name: 'This may help' })).toBeNull();
    await clock.advance(600);
    const list = screen.getByRole('list', { name: 'This may help' });
    const message = screen.getByLabelText<HTMLTextAreaElement>('Message');
    expect(message.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    await press('Returning an order');
    expect(heading().textContent).toBe('Returning an order');
    await press('Back');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('My pot is broken');
  });
});
