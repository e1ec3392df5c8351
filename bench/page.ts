/**
 * B15: the budget of the terminal, in Chromium against a started service: bytes of the first load, first paint, time
 * until a logged-in user can act, frames with 200 instruments at 5 changes a second each, memory while they change, and
 * the time from a key to the frame of the ticket. A proxy makes the market as busy as that.
 *
 *     node bench/page.ts [minutes of changes] [seconds of counted frames]
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { loggedIn, VISITED } from '../test/browser/kit/session.ts';
import { reachedOf, STORY_SETTINGS } from '../test/browser/kit/shared.ts';
import { StoryService, type StoryUser } from '../test/browser/kit/story-service.ts';
import { launchChromium } from '../test/kit/chromium.ts';
import { StartedService, temporaryFolder } from '../test/process/start/started-service.ts';
import { BusyStream } from './page/busy-stream.ts';
import { type BenchRow, median, spreadOf } from './rows.ts';
import { sharesOf } from './sockets/sessions.ts';

const INSTRUMENTS = 200;
const CHANGES_PER_SECOND = 5;
const ROUNDS = 7;
const TICKETS = 25;
/** The goals of the terminal's budget. */
const MOST_BYTES = 180 * 1024;
const MOST_PAINT_MS = 1_000;
const MOST_READY_MS = 1_500;
const FEWEST_FRAMES = 58;
/** Half of a frame, so that painting has the other half. */
const MOST_WORK_MS = 8;
const MOST_TICKET_MS = 100;
const MOST_GROWTH_MIB = 10;

/** Runs in each page before its own scripts: when the desk had its first figure, and when frames came. */
const MARKS = `
bench = { ready: 0, keyAt: 0, ticket: [], frames: [] };
new MutationObserver(() => {
  if (bench.ready === 0 && document.querySelector('.terminal [role=gridcell]')) {
    requestAnimationFrame(() => { bench.ready ||= performance.now(); });
  }
  if (bench.keyAt > 0 && document.querySelector('.ticket-form input')) {
    const from = bench.keyAt;
    bench.keyAt = 0;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => bench.ticket.push(performance.now() - from);
      port2.postMessage('painted');
    });
  }
}).observe(document, { childList: true, subtree: true });
document.addEventListener('keydown', (event) => { if (event.key === 'b') bench.keyAt = event.timeStamp; }, true);
const frame = (at) => { bench.frames.push(at); if (bench.frames.length > 100_000) bench.frames = []; requestAnimationFrame(frame); };
if (location.protocol !== 'about:') requestAnimationFrame(frame);
`;

interface Load {
  readonly bytes: number;
  readonly paint: number;
  readonly ready: number;
}

const LOADED = `(() => {
  const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const page = files.filter(({ name }) => !/\\/V1\\//.test(name));
  return {
    bytes: page.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    ready: bench.ready,
  };
})()`;

/** The rows of the page's budget. Takes the minutes of changes, and three more. */
export async function pageRows(minutes = 2, seconds = 10): Promise<BenchRow[]> {
  const folder = temporaryFolder();
  const service = new StoryService(reachedOf(await StartedService.start(folder.path, STORY_SETTINGS)));
  const browser = await launchChromium();
  try {
    const user = await traderWithList(service);
    return [...(await loadRows(browser, user)), ...(await busyRows(browser, user, minutes, seconds))];
  } finally {
    await browser.close();
    await folder.remove();
  }
}

/** A user whose one watchlist has as many instruments as are to change. */
async function traderWithList(service: StoryService): Promise<StoryUser> {
  const user = await service.newUser();
  const shares = await sharesOf(Number(new URL(service.origin).port), 'NSE');
  const instruments = shares.slice(0, INSTRUMENTS).map(({ name }) => {
    const [exchange, tradingSymbol] = name.split(':');
    return { exchange, tradingSymbol };
  });
  await user.call('saveWatchlist', { name: 'Bench', instruments });
  return user;
}

/** A context of its own, so that nothing is kept from the load before. */
async function visitor(browser: Browser, user: StoryUser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const { jKey: token } = await user.service.logIn(user);
  for (const script of [MARKS, VISITED, loggedIn(user.userId, token)]) await context.addInitScript(script);
  return context;
}

async function loadRows(browser: Browser, user: StoryUser): Promise<BenchRow[]> {
  const loads: Load[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const context = await visitor(browser, user);
    const page = await context.newPage();
    await page.goto(`${user.service.origin}/`);
    await until(page, 'bench.ready > 0 && document.querySelector(".chart canvas, [role=tabpanel] canvas")');
    await page.waitForTimeout(500);
    // The first round warms the service up.
    if (round > 0) loads.push(await page.evaluate<Load>(LOADED));
    await context.close();
  }
  const bytes = loads.map((load) => load.bytes);
  const paints = loads.map((load) => load.paint);
  const readies = loads.map((load) => load.ready);
  const kib = median(bytes) / 1024;
  return [
    row('bytes of the first load with the chart, packed', `${kib.toFixed(1)} KiB`, spreadOf(bytes.map(inKib), 1), {
      goal: 'at most 180 KiB',
      reached: median(bytes) <= MOST_BYTES,
    }),
    row('first paint of a logged-in page', `${median(paints).toFixed(0)} ms`, spreadOf(paints, 0), {
      goal: 'at most 1,000 ms',
      reached: median(paints) <= MOST_PAINT_MS,
    }),
    row('the same until figures are shown and keys work', `${median(readies).toFixed(0)} ms`, spreadOf(readies, 0), {
      goal: 'at most 1,500 ms',
      reached: median(readies) <= MOST_READY_MS,
    }),
  ];
}

async function busyRows(browser: Browser, user: StoryUser, minutes: number, seconds: number): Promise<BenchRow[]> {
  const busy = await BusyStream.start(user.service.origin);
  const context = await visitor(browser, user);
  const page = await context.newPage();
  await page.goto(`${busy.origin}/`);
  await until(page, 'bench.ready > 0');
  await sleep(3_000);
  const quiet = await countFrames(page, seconds);
  busy.changesPerSecond = CHANGES_PER_SECOND;
  await sleep(1_000);
  const frames = await countFrames(page, seconds);
  const tickets = await ticketTimes(page);
  const growth = await heapGrowth(page, minutes);
  await context.close();
  await busy.close();
  return [
    row(
      `frames, ${INSTRUMENTS} instruments, ${CHANGES_PER_SECOND} changes a second`,
      `${frames.perSecond.toFixed(1)} a second`,
      `longest ${frames.longest.toFixed(0)} ms`,
      { goal: `at least ${FEWEST_FRAMES}`, reached: frames.perSecond >= FEWEST_FRAMES },
      `unstirred: ${quiet.perSecond.toFixed(1)}`,
    ),
    row(
      'script, style and layout for each of these frames',
      `${frames.work.toFixed(1)} ms`,
      'one run',
      { goal: `at most ${MOST_WORK_MS} ms`, reached: frames.work <= MOST_WORK_MS },
      `unstirred: ${quiet.work.toFixed(1)} ms`,
    ),
    row('from the key to the frame that shows the ticket', `${median(tickets).toFixed(0)} ms`, spreadOf(tickets, 0), {
      goal: `at most ${MOST_TICKET_MS} ms`,
      reached: median(tickets) <= MOST_TICKET_MS,
    }),
    row(
      `heap of the page after ${minutes} min of changes`,
      `${growth.end.toFixed(1)} MiB`,
      `${growth.begin.toFixed(1)} to ${growth.end.toFixed(1)} MiB`,
      { goal: `at most ${MOST_GROWTH_MIB} MiB more`, reached: growth.end - growth.begin <= MOST_GROWTH_MIB },
      `at the beginning: ${growth.begin.toFixed(1)} MiB`,
    ),
  ];
}

/** Waits until an expression is true in the page, whose policy lets nothing look for it there. */
async function until(page: Page, expression: string): Promise<void> {
  for (let looks = 0; !(await page.evaluate<boolean>(`Boolean(${expression})`)); looks += 1) {
    if (looks > 1_500) throw new Error(`it does not come: ${expression}`);
    await sleep(20);
  }
}

const WORK: ReadonlySet<string> = new Set(['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']);

interface Frames {
  readonly perSecond: number;
  readonly longest: number;
  /** Milliseconds of script, style and layout for a frame. */
  readonly work: number;
}

async function countFrames(page: Page, seconds: number): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const before = await workSeconds(session);
  await page.evaluate('bench.frames = []');
  await sleep(seconds * 1_000);
  const at = await page.evaluate<number[]>('bench.frames');
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? time));
  const spent = (await workSeconds(session)) - before;
  await session.detach();
  return {
    perSecond: gaps.length / (((at.at(-1) ?? 0) - (at[0] ?? 0)) / 1_000),
    longest: Math.max(...gaps),
    work: (1_000 * spent) / gaps.length,
  };
}

/** The work of the page itself; painting is that of the browser, which paints without a graphics card here. */
async function workSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const own = metrics.filter(({ name }) => WORK.has(name));
  return own.reduce((sum, { value }) => sum + value, 0);
}

async function ticketTimes(page: Page): Promise<number[]> {
  for (let round = 0; round < TICKETS; round += 1) {
    await page.keyboard.press('b');
    await until(page, `bench.ticket.length > ${round} && document.activeElement.matches('.ticket-form input')`);
    await page.keyboard.press('Escape');
    await page.locator('.ticket-form').waitFor({ state: 'detached' });
  }
  // The first one loads what the ticket needs.
  return (await page.evaluate<number[]>('bench.ticket')).slice(1);
}

async function heapGrowth(page: Page, minutes: number): Promise<{ begin: number; end: number }> {
  const session = await page.context().newCDPSession(page);
  const begin = await heapMib(session, page);
  await sleep(minutes * 60_000);
  const end = await heapMib(session, page);
  await session.detach();
  return { begin, end };
}

async function heapMib(session: CDPSession, page: Page): Promise<number> {
  await page.evaluate('bench.frames = []');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

function inKib(bytes: number): number {
  return bytes / 1024;
}

function row(
  what: string,
  ours: string,
  spread: string,
  { goal, reached }: { readonly goal: string; readonly reached: boolean },
  reference = 'none',
): BenchRow {
  return { id: 'B15', what: `the terminal: ${what}`, ours, reference, ratio: 'none', spread, goal, reached };
}

if (import.meta.main) {
  const [minutes, seconds] = process.argv.slice(2).map(Number);
  const rows = await pageRows(minutes, seconds);
  console.table(rows);
  for (const { id, what, ours, reference, ratio, spread, goal, reached } of rows) {
    console.log(`| ${[id, what, ours, reference, `${ratio} (${spread})`, goal, reached ? 'yes' : 'no'].join(' | ')} |`);
  }
}
