import type { FrameLocator, Locator, Page } from '@playwright/test';

export interface TicketText {
  name?: string;
  email: string;
  /** Where the form asks for it. */
  subject?: string;
  description: string;
}

/** The widget as a customer uses it, found by its texts, on a host page or as a full page. */
export class Widget {
  readonly launcher: Locator;
  readonly page: Page;
  private readonly isFullPage: boolean;

  constructor(page: Page, isFullPage = false) {
    this.page = page;
    this.isFullPage = isFullPage;
    this.launcher = page.getByRole('button', { name: /open support|close support/i });
  }

  get app(): FrameLocator | Page {
    return this.isFullPage ? this.page : this.page.frameLocator('iframe[title="Support"]');
  }

  get email(): Locator {
    return this.app.getByLabel('Email');
  }
  get subject(): Locator {
    return this.app.getByLabel('Subject');
  }
  get description(): Locator {
    return this.app.getByRole('textbox', { name: 'Message' });
  }
  get send(): Locator {
    return this.app.getByRole('button', { name: 'Send', exact: true });
  }
  get conversation(): Locator {
    return this.app.getByRole('log', { name: 'Conversation' });
  }
  get reply(): Locator {
    return this.app.getByRole('textbox', { name: 'Write a reply' });
  }
  get sendReply(): Locator {
    return this.app.getByRole('button', { name: 'Send reply' });
  }
  get tickets(): Locator {
    return this.app.getByRole('list', { name: 'Your tickets' });
  }
  get back(): Locator {
    return this.app.getByRole('button', { name: 'Back to your tickets' });
  }

  async open(): Promise<void> {
    await this.launcher.click();
    await this.app.getByRole('heading', { name: 'How can we help?' }).or(this.tickets).first().waitFor();
  }

  /** Opens the widget and, in it, this conversation. */
  async openConversation(subject: string): Promise<void> {
    await this.open();
    await this.tickets.getByText(subject).click();
    await this.conversation.waitFor();
  }

  /** Chooses an item of the menu in the bar. */
  async choose(item: string): Promise<void> {
    await this.app.getByRole('button', { name: 'More options' }).click();
    await this.app.getByRole('button', { name: item }).click();
  }

  async write({ name, email, subject, description }: TicketText): Promise<void> {
    // The full page has no settings of a site: the subject is made from the first line.
    const isAsked = subject && !this.isFullPage;
    await this.description.fill(subject && !isAsked ? `${subject}\n${description}` : description);
    if (isAsked) await this.subject.fill(subject);
    await this.email.fill(email);
    if (name) await this.app.getByLabel('Your name').fill(name);
  }

  /** Opens a ticket and waits until the service has it. */
  async openTicket(text: TicketText): Promise<void> {
    await this.write(text);
    await this.send.click();
    await this.conversation.getByText('Sent', { exact: true }).waitFor();
  }

  async answer(text: string): Promise<void> {
    await this.reply.fill(text);
    await this.sendReply.click();
  }
}
