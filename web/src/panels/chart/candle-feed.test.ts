/** Tests of the candles of a chart, on a service that answers or fails as a test says, and on a stream of its own. */
import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { InvalidRequest, TransportError } from '../../../../client/src/errors.ts';
import type { MarketStatus } from '../../../../client/src/wire.ts';
import { link, marketStatus } from '../../store/link.ts';
import { type Desk, desk } from '../../store/session.ts';
import { CandleFeed } from './candle-feed.ts';

Object.assign(globalThis, { requestAnimationFrame: () => 1, cancelAnimationFrame: () => undefined });

const ITC = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' } as const;
const RETRY_MS = 5_000;
const PICTURE_MS = 1_000;

interface Range {
  readonly from: Date;
  readonly to: Date;
}

let answer: () => Promise<readonly object[]>;
let ranges: Range[] = [];
let reads = 0;
let send: (event: { data: object }) => void = () => undefined;
let drawn: number[] = [];
let failure = '';
let feed: CandleFeed;

function row(epochTime: number): object {
  return { epochTime, open: 1, high: 1, low: 1, close: 1, volume: 1 };
}

/** Lets promises settle. */
async function turn(): Promise<void> {
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
}

async function live(epochTime: number): Promise<void> {
  send({ data: row(epochTime) });
  mock.timers.tick(PICTURE_MS);
  await turn();
}

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  [reads, drawn, failure] = [0, [], ''];
  ranges = [];
  const candles = (_instrument: object, range: Range) => {
    reads += 1;
    ranges.push(range);
    return answer();
  };
  const stream = { candles: () => ({ on: (take: typeof send) => (send = take), close: () => undefined }) };
  desk.value = { userId: 'SD1001', sauda: { market: { candles } }, stream } as unknown as Desk;
  link.value = 'live';
  marketStatus.value = { marketTime: '10:15:00 23-11-2026' } as MarketStatus;
  feed = new CandleFeed(ITC, '1mi', {
    reset: (candles) => {
      drawn = candles.map(({ time }) => time);
    },
    newest: ({ time }) => void drawn.push(time),
    shown: () => undefined,
    failed: (reason) => {
      failure = reason;
    },
  });
});

afterEach(() => {
  feed.close();
  mock.timers.reset();
});

test('the first live candle is drawn when the service had none before, and the words of that go', async () => {
  answer = async () => [];
  feed.open();
  await turn();
  equal(failure, 'There are no candles yet.');
  await live(600);
  deepEqual([drawn.length, failure], [1, '']);
  await live(660);
  equal(drawn.length, 2);
});

/** Minutes of the candles of a market that has traded in some of them; the range that was asked for last counts. */
function tradedAt(...minutes: readonly number[]): () => Promise<readonly object[]> {
  return async () => {
    const { from, to } = ranges.at(-1) ?? { from: new Date(0), to: new Date(0) };
    return minutes
      .map((minute) => minute * 60)
      .filter((at) => at * 1_000 >= from.getTime() && at * 1_000 <= to.getTime())
      .map(row);
  };
}

const MONDAY = Date.UTC(2026, 10, 23, 4, 45) / 60_000;
const DAY = 1_440;

test('the past goes on beyond a stretch without candles, such as a weekend', async () => {
  answer = tradedAt(MONDAY - 20 * DAY, MONDAY - 3 * DAY, MONDAY);
  feed.open();
  await turn();
  equal(drawn.length, 1);
  feed.older();
  await turn();
  equal(drawn.length, 2, 'two days are empty, the four before them are not');
  feed.older();
  await turn();
  equal(drawn.length, 3);
});

test('a chart that is opened on a closed day shows the last candles before it', async () => {
  answer = tradedAt(MONDAY - 3 * DAY);
  feed.open();
  await turn();
  deepEqual([reads, drawn.length, failure], [2, 1, '']);
});

test('the search for older candles ends where the market has none, and is not made again', async () => {
  answer = tradedAt(MONDAY);
  feed.open();
  await turn();
  feed.older();
  await turn();
  const [, ...older] = ranges;
  deepEqual(
    older.map(({ from, to }) => Math.round((to.getTime() - from.getTime()) / 86_400_000)),
    [2, 4, 8, 16, 32, 64],
  );
  feed.older();
  await turn();
  equal(reads, 7);
});

test('live candles wait for the first answer, which has the past', async () => {
  const held = Promise.withResolvers<readonly object[]>();
  answer = () => held.promise;
  feed.open();
  await live(660);
  deepEqual(drawn, []);
  held.resolve([row(600)]);
  await turn();
  await live(660);
  equal(drawn.length, 2);
});

test('a read that failed is made again some seconds later, until it is answered', async () => {
  answer = () => Promise.reject(new TransportError('lost', 'no answer'));
  feed.open();
  await turn();
  equal(failure, 'The service was not reached.');
  mock.timers.tick(RETRY_MS);
  await turn();
  equal(reads, 2);
  answer = async () => [row(600)];
  mock.timers.tick(RETRY_MS);
  await turn();
  deepEqual([reads, drawn.length, failure], [3, 1, '']);
  mock.timers.tick(RETRY_MS);
  equal(reads, 3);
});

test('a refusal and a closed chart end the reads', async () => {
  const facts = { status: 400, code: 'BAD_REQUEST', field: 'tradingSymbol', message: 'unknown' };
  answer = () => Promise.reject(new InvalidRequest(facts));
  feed.open();
  await turn();
  mock.timers.tick(RETRY_MS);
  equal(reads, 1);
  answer = () => Promise.reject(new TransportError('lost', 'no answer'));
  link.value = 'cut';
  link.value = 'live';
  await turn();
  equal(reads, 2);
  feed.close();
  mock.timers.tick(RETRY_MS);
  equal(reads, 2);
});
