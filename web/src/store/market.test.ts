/** Tests of the market's rows on a stream whose events a test sends. */
import { deepEqual, equal } from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { TickEvent } from '../../../client/src/stream/events.ts';
import type { SaudaStream } from '../../../client/src/stream/stream.ts';
import type { MarketStatus } from '../../../client/src/wire.ts';
import { marketStatus } from './link.ts';
import { connectMarket, ticks } from './market.ts';

/** The page draws when the test says so. */
let draw: () => void = () => undefined;
Object.assign(globalThis, {
  requestAnimationFrame: (work: () => void) => {
    draw = work;
    return 1;
  },
  cancelAnimationFrame: () => undefined,
});

/** Subscriptions as the page makes them. */
class FakeStream {
  readonly asked: string[][] = [];
  closed = 0;
  private take: (event: TickEvent) => void = () => undefined;
  readonly refuse: (() => void)[] = [];

  ticks = (names: readonly string[]) => {
    this.asked.push([...names]);
    return {
      on: (take: (event: TickEvent) => void, refused: () => void) => {
        this.take = take;
        this.refuse.push(refused);
      },
      close: () => void this.closed++,
    };
  };

  /** A tick that is shown at the next picture. */
  tick(instrument: string, lastTradedPrice: string): void {
    this.take({
      type: 'tick',
      instrument,
      at: '',
      change: '0.00',
      changePercent: '',
      data: { lastTradedPrice },
    } as never);
  }
}

const ITC = 'NSE:ITC-EQ';
const ENDED = 'NFO:NIFTY24NOV26C24000';
const priceOf = (name: string): string | undefined => ticks.row(name).value?.lastTradedPrice;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let stream: FakeStream;
beforeEach(() => {
  stream = new FakeStream();
  connectMarket(stream as unknown as SaudaStream);
});

/** Follows ITC until it has a first price. */
async function followed(): Promise<() => void> {
  const leave = ticks.follow([ITC]);
  await turn();
  stream.tick(ITC, '405.00');
  draw();
  equal(priceOf(ITC), '405.00');
  return leave;
}

test('an instrument that is followed again begins without the price from the last time', async () => {
  const leave = await followed();
  leave();
  await turn();
  equal(priceOf(ITC), undefined);
  const leaveAgain = ticks.follow([ITC]);
  await turn();
  equal(priceOf(ITC), undefined, 'nothing has come yet');
  deepEqual([stream.asked, stream.closed], [[[ITC], [ITC]], 1]);
  leaveAgain();
});

test('a tick that waits for its picture is not shown when nobody follows the instrument any more', async () => {
  const leave = await followed();
  stream.tick(ITC, '406.00');
  leave();
  await turn();
  draw();
  equal(priceOf(ITC), undefined);
});

test('an instrument of which the service refuses to send more has no row any more', async () => {
  const leave = await followed();
  stream.refuse[0]?.();
  equal(priceOf(ITC), undefined);
  leave();
  await turn();
});

test('of a list that is refused each instrument is asked for by itself, and those that go on keep their rows', async () => {
  const leave = ticks.follow([ITC, ENDED]);
  await turn();
  for (const name of [ITC, ENDED]) stream.tick(name, '405.00');
  draw();
  stream.refuse[0]?.();
  deepEqual(stream.asked.slice(1), [[ITC], [ENDED]]);
  stream.refuse[2]?.();
  deepEqual([priceOf(ITC), priceOf(ENDED)], ['405.00', undefined]);
  leave();
  await turn();
});

test('instruments are asked for again on another day of the market: contracts end with their day', async () => {
  const leave = await followed();
  marketStatus.value = { marketTime: '10:15:00 23-11-2026' } as MarketStatus;
  equal(stream.asked.length, 1, 'the first message of the clock is no change');
  marketStatus.value = { marketTime: '15:40:00 23-11-2026' } as MarketStatus;
  equal(stream.asked.length, 1);
  marketStatus.value = { marketTime: '00:00:01 24-11-2026' } as MarketStatus;
  await turn();
  deepEqual([stream.asked, stream.closed, priceOf(ITC)], [[[ITC], [ITC]], 1, '405.00']);
  stream.refuse[1]?.();
  equal(priceOf(ITC), undefined);
  leave();
  await turn();
});

test('an instrument that is left and followed in one step keeps its price and its subscription', async () => {
  const leave = await followed();
  leave();
  const leaveAgain = ticks.follow([ITC, 'NSE:TCS-EQ']);
  await turn();
  equal(priceOf(ITC), '405.00');
  deepEqual([stream.asked, stream.closed], [[[ITC], ['NSE:TCS-EQ']], 0]);
  leaveAgain();
  await turn();
});
