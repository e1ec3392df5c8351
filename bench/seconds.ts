import { PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { must } from '../src/base/assert.ts';
import type { AccountId, InstrumentId } from '../src/base/ids.ts';
import { floorToTick, type Paise, type Price, type Quantity, ZERO_PRICE } from '../src/base/money.ts';
import { type EpochMs, istInstant, parseIsoDay, SECOND_MS } from '../src/base/time.ts';
import type { PlaceOrder } from '../src/core/command.ts';
import { type Instrument, isDerivative } from '../src/core/instrument.ts';
import { everyDaySettledAs } from '../src/core/trading-days.ts';
import { Engine } from '../src/engine/engine.ts';
import { LIVE } from '../src/engine/live.ts';
import { everySecond } from '../src/engine/time/ticker.ts';
import { MemoryJournal } from '../src/journal/memory-journal.ts';
import { calendarHours } from '../src/market/session/sessions.ts';
import { SyntheticMarket } from '../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../src/reference/instruments/load.ts';
import { testPorts } from '../test/kit/ports.ts';
import { unasked } from '../test/kit/unasked.ts';
import { enterServiceRoom } from './process/service-room.ts';
import { round } from './walls/figures.ts';
import type { SecondsFigures } from './walls/wall-rows.ts';

/*
 * `node bench/seconds.ts --instruments N --seconds N --near PERCENT [--rest N]` measures what the passing of seconds
 * costs a service with resting orders in many instruments. Shares and contracts as they are listed, in `always` hours;
 * one order each: `PERCENT` per cent of the orders rest two ticks below the last price, the others far below it. Prints
 * how long the turns of the event loop were, by the clock and by the main thread's time on a processor, which a busy
 * machine does not lengthen; the long turns one by one, with the pauses of the collector of garbage in them; how long
 * one question and one order every few milliseconds waited; how far the books were behind; and whether each book met
 * its ticks in order. With `--rest`, the memory of the process after seconds in which nothing happens. The last line
 * has the figures as JSON. The process has the options of Node that the launcher gives a service.
 */

const { values } = parseArgs({
  options: {
    instruments: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '300' },
    near: { type: 'string', default: '5' },
    rest: { type: 'string', default: '0' },
  },
});
enterServiceRoom();
const COUNT = Number(values.instruments);
const SECONDS = Number(values.seconds);
const NEAR = Number(values.near);
const REST = Number(values.rest);
const CASH = 10_000_000_000_00 as Paise;
const ORDERS_EACH = 100;
/** Below this an option is too cheap for an order far below it. */
const LEAST_PRICE = 200;
const FAR = 0.85;
const BUCKETS = [0.5, 1, 2, 3, 4, 5, 7, 10, 15, 20, 50, 100, 1_000, 100_000];
const ASK_EVERY_MS = 7;
const LONG_TURN_MS = 20;
const QUIET_SECONDS = 5;
const START = istInstant(must(parseIsoDay('2026-11-23'), 'a day'), 11 * 3_600 * SECOND_MS);

const began = performance.now();
const clock = (): EpochMs => Math.floor(START + performance.now() - began) as EpochMs;
const data = loadReferenceData(fileURLToPath(new URL('../data', import.meta.url)));
const instruments = data.master({ closeOf: (id, day, asOf) => market.closeOn(id, day, asOf) });
const calendar = calendarHours(data);
const market: SyntheticMarket = new SyntheticMarket({
  seed: 1,
  regime: 'always',
  instruments,
  facts: data.facts,
  calendar,
});
const ports = testPorts({ ...data.rules, instruments, market, days: everyDaySettledAs(data.days) });
const live = LIVE.empty();
const met = watchTicks();
const engine = new Engine({
  live,
  journal: new MemoryJournal(),
  ports,
  clock,
  failStop: (error) => {
    throw error;
  },
});

const listed = await place();
const untilLook = (): number => SECOND_MS - (clock() % SECOND_MS);
const stop = everySecond({ now: clock, untilLook, isHeld: () => false }, () => engine.passSecond());
console.log(`${listed.length} orders rest in ${live.state.books.size} instruments, ${NEAR} % of them near the market`);
await settle();
const figures = await measure();
stop();
if (REST > 0) console.log(`after ${REST} seconds of rest: ${await memoryAtRest()}`);
console.log(JSON.stringify(figures));

/** Whether each book meets its ticks in order, and how many moves were decided. */
function watchTicks(): { moves: number; outOfOrder: number } {
  const seen = { moves: 0, outOfOrder: 0 };
  const last = new Map<InstrumentId, number>();
  const step = live.step.bind(live);
  live.step = (over, sequenced) => {
    const { command } = sequenced;
    if (command.type === 'MoveMarket') {
      seen.moves += 1;
      if (command.tick <= (last.get(command.instrument) ?? 0)) seen.outOfOrder += 1;
      last.set(command.instrument, command.tick);
    }
    return step(over, sequenced);
  };
  return seen;
}

/** Places an order in each instrument; returns those that rest. */
async function place(): Promise<Instrument[]> {
  const resting: Instrument[] = [];
  const all = [
    ...instruments.list('NSE', clock()),
    ...instruments.list('BSE', clock()),
    ...instruments.list('NFO', clock()),
  ];
  for (const instrument of all) {
    if (resting.length >= COUNT) break;
    if (instrument.kind === 'index') continue;
    const { price: last } = market.lastPrint(instrument.id, market.tickAt(clock()));
    if (last < LEAST_PRICE) continue;
    const account = await accountFor(resting.length);
    const isNear = resting.length % 100 < NEAR;
    const limit = isNear ? last - 2 * instrument.tick : last * FAR;
    const reply = await engine.submit(unasked(orderOf(account, instrument, floorToTick(limit, instrument.tick))));
    if (reply.type === 'OrderPlaced' && live.state.orders.get(reply.order)?.status === 'Open') resting.push(instrument);
  }
  return resting;
}

async function accountFor(orders: number): Promise<AccountId> {
  const account = Math.floor(orders / ORDERS_EACH) as AccountId;
  if (account < live.state.accounts.length) return account;
  const userId = `USER${account}`;
  const words = { email: 'a@example.com', sealedCredentials: 'sealed', usesTotp: false, demo: true };
  await engine.submit(unasked({ ...words, type: 'RegisterUser', userId, name: userId }));
  await engine.submit(unasked({ type: 'DepositCash', account, amount: CASH, opening: true }));
  return account;
}

function orderOf(account: AccountId, instrument: Instrument, price: Price): PlaceOrder {
  return {
    type: 'PlaceOrder',
    account,
    instrument: instrument.id,
    side: 'B',
    product: isDerivative(instrument) ? 'M' : 'C',
    terms: { priceType: 'LMT', retention: 'DAY', quantity: instrument.lot as Quantity, price, trigger: ZERO_PRICE },
    remarks: '',
  };
}

/** Lets the books meet what passed while orders were placed, and compiled code be there. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_SECONDS; ) {
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    quiet = engine.status().marketLag > 1 ? 0 : quiet + 1;
  }
}

async function measure(): Promise<SecondsFigures> {
  const wall: number[] = [];
  const processor: number[] = [];
  const waits: number[] = [];
  const lags: number[] = [];
  const long: Turn[] = [];
  const pauses = pausesOfCollector();
  const until = performance.now() + SECONDS * SECOND_MS;
  const movesBefore = met.moves;
  const leftOutBefore = engine.status().ticksLeftOut;
  const usedBefore = process.cpuUsage();
  let at = performance.now();
  let used = threadMs();
  await new Promise<void>((resolve) => {
    const look = (): void => {
      const [now, cpu] = [performance.now(), threadMs()];
      wall.push(now - at);
      processor.push(cpu - used);
      if (cpu - used > LONG_TURN_MS) long.push({ from: at, to: now, ms: cpu - used });
      at = now;
      used = cpu;
      if (now < until) setTimeout(look, 1);
      else resolve();
    };
    const ask = (): void => {
      const asked = performance.now();
      const account = (waits.length % live.state.accounts.length) as AccountId;
      void engine.submit(unasked({ type: 'DepositCash', account, amount: 1 as Paise, opening: false })).then(() => {
        waits.push(performance.now() - asked);
      });
      if (asked < until) setTimeout(ask, ASK_EVERY_MS);
    };
    const lag = (): void => {
      lags.push(engine.status().marketLag);
      if (performance.now() < until) setTimeout(lag, 100);
    };
    look();
    ask();
    lag();
  });
  const { user, system } = process.cpuUsage(usedBefore);
  console.log(histogram('turns by the clock, ms', wall));
  console.log(histogram('turns by the processor, ms', processor));
  console.log(histogram('orders answered after, ms', waits));
  const perSecond = ((met.moves - movesBefore) / SECONDS).toFixed(0);
  console.log(
    `moves decided a second ${perSecond}, out of order ${met.outOfOrder}, left out ${engine.status().ticksLeftOut - leftOutBefore}`,
  );
  console.log(
    `seconds behind: most ${Math.max(...lags)}; ${lags.filter((one) => one > 1).length} of ${lags.length} looks above 1`,
  );
  for (const turn of long) console.log(longTurnText(turn, pauses));
  const percent = round((user + system) / 10_000 / SECONDS);
  console.log(`processor ${percent} % over ${SECONDS} seconds`);
  return {
    instruments: live.state.books.size,
    seconds: SECONDS,
    turns: processor.length,
    turnsAbove: long.length,
    longestTurnMs: round(processor.reduce((most, ms) => Math.max(most, ms), 0)),
    longestPauseMs: round(pauses.reduce((most, { duration }) => Math.max(most, duration), 0)),
    outOfOrder: met.outOfOrder,
    leftOut: engine.status().ticksLeftOut - leftOutBefore,
    processorPercent: percent,
  };
}

/** The memory of a process that has had nothing to do for a while, in MiB. */
async function memoryAtRest(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, REST * SECOND_MS));
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
  return `${mib(rss)} in the process, ${mib(heapTotal)} of heap, ${mib(heapUsed)} of it in use`;
}

/** A turn of the event loop; `ms`: the main thread's time on a processor. */
interface Turn {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

/** The pauses that the collector of garbage makes from now on. */
function pausesOfCollector(): PerformanceEntry[] {
  const pauses: PerformanceEntry[] = [];
  new PerformanceObserver((list) => pauses.push(...list.getEntries())).observe({ entryTypes: ['gc'] });
  return pauses;
}

function longTurnText({ from, to, ms }: Turn, pauses: readonly PerformanceEntry[]): string {
  const within = pauses.filter(({ startTime }) => startTime >= from && startTime <= to);
  const paused = within.reduce((sum, { duration }) => sum + duration, 0);
  return `a turn of ${ms.toFixed(1)} ms by the processor, ${paused.toFixed(1)} ms of it pauses of the collector`;
}

/** Milliseconds that the main thread has had of a processor. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function histogram(name: string, times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
  let from = 0;
  const counts = BUCKETS.map((to) => {
    const count = times.filter((time) => time >= from && time < to).length;
    from = to;
    return count === 0 ? '' : ` <${to}: ${count}`;
  });
  return `${name}: p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, most ${at(1)};${counts.join('')}`;
}
