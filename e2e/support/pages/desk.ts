import type { Locator, Page } from '@playwright/test';
import type { Workspace } from '../../../scripts/processes.ts';

/** The agents' desk of the ticket service. */
export class Desk {
  readonly page: Page;
  private readonly at: { serviceUrl: string; workspace: Workspace };

  constructor(page: Page, at: { serviceUrl: string; workspace: Workspace }) {
    this.page = page;
    this.at = at;
  }

  async signIn(): Promise<void> {
    await this.page.goto(`${this.at.serviceUrl}/desk`);
    await this.page.getByLabel('Email').fill(this.at.workspace.agent.email);
    await this.page.getByLabel('Password').fill(this.at.workspace.agent.password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Opens the newest ticket of this subject, in any status. */
  async openTicket(subject: string): Promise<void> {
    await this.page.goto(`${this.at.serviceUrl}/desk?${new URLSearchParams({ status: 'all', q: subject })}`);
    await this.page.getByRole('link', { name: subject }).first().click();
    await this.page.getByRole('heading', { name: subject }).waitFor();
  }

  get conversation(): Locator {
    return this.page.getByRole('region', { name: 'Conversation' });
  }

  /** The customer, and the facts of the ticket. */
  get about(): Locator {
    return this.page.getByRole('complementary', { name: 'About this ticket' });
  }

  async answer(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Answer' }).fill(text);
    await this.page.getByRole('button', { name: 'Send answer' }).click();
    // The customer may have written after this page was drawn.
    const anyway = this.page.getByRole('button', { name: 'Send anyway' });
    await this.entry(text).or(anyway).waitFor();
    if (await anyway.isVisible()) await anyway.click();
    await this.shown(text);
  }

  async note(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Internal note' }).fill(text);
    await this.page.getByRole('button', { name: 'Add note' }).click();
    await this.shown(text);
  }

  /** Before that the browser is leaving the page, and text typed into it is lost. */
  private async shown(text: string): Promise<void> {
    await this.entry(text).waitFor();
  }

  private entry(text: string): Locator {
    return this.conversation.getByRole('listitem').filter({ hasText: text }).last();
  }

  async mergeInto(ticketNumber: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Merge into ticket number' }).fill(ticketNumber);
    await this.page.getByRole('button', { name: 'Merge', exact: true }).click();
    await this.page.getByRole('button', { name: `Merge into #${ticketNumber}` }).click();
    await this.page.getByText('Ticket merged.').waitFor();
  }
}
