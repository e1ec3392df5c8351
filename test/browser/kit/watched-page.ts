/**
 * Watches a page of a story: every complaint of the browser (console, uncaught errors, violations of the Content
 * Security Policy) and every request to another host. A story ends well only when there was none that it announced.
 */
import type { BrowserContext, Page } from 'playwright-core';

/** Runs in each page before its own scripts. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (violation) => {
  const { effectiveDirective, blockedURI, sample } = violation;
  complainOfPolicy('policy: ' + effectiveDirective + ' blocked ' + blockedURI + ' ' + sample);
});`;

/** Everything that the pages of a context did wrong. */
export class Watch {
  /** Complaints that the story brings about, as of a service that it kills. */
  readonly expected: RegExp[] = [];
  private readonly complaints: string[] = [];
  private readonly origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.origins = new Set(origins);
  }

  async watch(context: BrowserContext): Promise<void> {
    await context.exposeBinding('complainOfPolicy', (_source, words: string) => void this.complaints.push(words));
    await context.addInitScript(REPORT_VIOLATIONS);
    context.on('page', (page) => this.follow(page));
  }

  /** The complaints that no story announced. */
  get unexpected(): readonly string[] {
    return this.complaints.filter((words) => !this.expected.some((known) => known.test(words)));
  }

  private follow(page: Page): void {
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      this.complaints.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.complaints.push(`uncaught: ${error.stack ?? error.message}`));
    page.on('request', (request) => this.admit(request.url()));
    page.on('websocket', (socket) => this.admit(socket.url()));
  }

  private admit(address: string): void {
    if (/^(data|blob|about):/.test(address)) return;
    const origin = new URL(address.replace(/^ws/, 'http')).origin;
    if (!this.origins.has(origin)) this.complaints.push(`another host: ${address}`);
  }
}
