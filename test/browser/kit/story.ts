/**
 * A story: a test in a real browser against a real service. It begins with users of its own, so stories do not meet,
 * and it ends well only when the browser complained of nothing and no request went to another host. A story that fails
 * leaves pictures of its pages, and says where.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { loggedIn, VISITED } from './session.ts';
import { type Shared, sharedBrowser, sharedService } from './shared.ts';
import type { StoryService, StoryUser } from './story-service.ts';
import { Watch } from './watched-page.ts';

const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface PageOptions {
  readonly theme?: Theme;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Another service than the shared one. */
  readonly service?: StoryService;
  /** Shows what a first visit shows; a later one when absent. */
  readonly isFirstVisit?: boolean;
}

/** Where the pictures of failed stories go. */
const PICTURES = join(process.env.STORY_PICTURES ?? tmpdir(), 'sauda-stories');
const USUAL_VIEWPORT = { width: 1440, height: 900 };
/**
 * The longest that anything in a page is waited for. A cut stream is opened again after 10 seconds at most, and on a
 * busy machine all takes longer.
 */
const WAIT_MS = 30_000;
/** Characters of the words of a page that a failed story prints. */
const MOST_WORDS = 4_000;
/** On the two processors of CI a story takes some seconds; this is for machines that do much else. */
const STORY_MS = 300_000;

let service: Shared<StoryService>;
let browser: Shared<Browser>;

before(async () => {
  // One after the other, so that a service that does not start leaves no browser behind.
  browser = await sharedBrowser();
  service = await sharedService();
});

after(async () => {
  await browser?.end();
  await service?.end();
});

/** The hands of one story. */
export class Story {
  private readonly contexts: BrowserContext[] = [];
  private readonly watches: Watch[] = [];

  /** The shared service. */
  get service(): StoryService {
    return service.value;
  }

  /** A new user of the shared service with 10 lakh rupees. */
  user(means: Parameters<StoryService['newUser']>[0] = {}): Promise<StoryUser> {
    return this.service.newUser(means);
  }

  /** Opens the terminal, logged in as a user; with a session of its own, which the story may end. */
  async desk(user: StoryUser, options: PageOptions = {}): Promise<Page> {
    const { service: of } = user;
    const { userId, jKey } = await of.logIn(user);
    const context = await this.context({ ...options, service: of });
    await context.addInitScript(loggedIn(userId, jKey));
    return this.opened(context, of);
  }

  /** Opens the address of the service as a visitor without a session. */
  async door(options: PageOptions = {}): Promise<Page> {
    const of = options.service ?? this.service;
    return this.opened(await this.context({ ...options, service: of }), of);
  }

  /** Opens the page of the operator, by the address that carries the token. */
  async operatorPage(of: StoryService = this.service): Promise<Page> {
    const page = await (await this.context({ service: of })).newPage();
    await page.goto(`${of.operator}/#${of.operatorToken()}`);
    return page;
  }

  /** Announces complaints that the story brings about. */
  expect(...complaints: readonly RegExp[]): void {
    for (const watch of this.watches) watch.expected.push(...complaints);
  }

  /** Keeps a picture of a page where `STORY_PICTURES` names a folder. */
  async picture(page: Page, name: string): Promise<void> {
    if (process.env.STORY_PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  /** Fails unless axe finds nothing in the page as it is shown now, or in the part that a selector names. */
  async axe(page: Page, within?: string): Promise<void> {
    assert.deepEqual(await axeFindings(page, within), []);
  }

  /** As `axe`, in each theme: the page follows that of the system while it is open. */
  async axeInThemes(page: Page, within?: string): Promise<void> {
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await axeFindings(page, within), [], colorScheme);
    }
  }

  /** Ends the story. `name` is given when it failed. */
  async end(name: string | undefined): Promise<void> {
    if (name !== undefined) await this.takePictures(name);
    const complaints = this.watches.flatMap(({ unexpected }) => unexpected);
    await Promise.all(this.contexts.map((context) => context.close()));
    if (name === undefined) assert.deepEqual(complaints, [], 'the browser complains of nothing');
    else if (complaints.length > 0) console.error(`complaints of the browser:\n  ${complaints.join('\n  ')}`);
  }

  private async context({
    theme = 'light',
    viewport = USUAL_VIEWPORT,
    isFirstVisit = false,
    service: of = this.service,
  }: PageOptions): Promise<BrowserContext> {
    const context = await browser.value.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
    context.setDefaultTimeout(WAIT_MS);
    const watch = new Watch([of.origin, of.operator]);
    await watch.watch(context);
    if (!isFirstVisit) await context.addInitScript(VISITED);
    this.contexts.push(context);
    this.watches.push(watch);
    return context;
  }

  private async opened(context: BrowserContext, { origin }: StoryService): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    return page;
  }

  /** Keeps the picture of each page, and prints its words: a machine that only reports has no pictures. */
  private async takePictures(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    const pages = this.contexts.flatMap((context) => context.pages());
    for (const [index, page] of pages.entries()) {
      const path = join(PICTURES, `${name.replaceAll(/\W+/g, '-').slice(0, 80)}-${index + 1}.png`);
      try {
        await page.screenshot({ path });
        console.error(`picture: ${path}`);
        console.error((await page.locator('body').innerText()).replaceAll(/\s+/g, ' ').slice(0, MOST_WORDS));
      } catch (error) {
        console.error(`no picture: ${String(error)}`);
      }
    }
  }
}

/** Registers a story. */
export function story(name: string, run: (story: Story) => Promise<void>): void {
  test(name, { timeout: STORY_MS }, async () => {
    const told = new Story();
    try {
      await run(told);
    } catch (error) {
      await told.end(name);
      throw error;
    }
    await told.end(undefined);
  });
}
