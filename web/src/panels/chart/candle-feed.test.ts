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

let answer: () => Promise<readonly object[]>;
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
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
}

async function live(epochTime: number): Promise<void> {
  send({ data: row(epochTime) });
  mock.timers.tick(PICTURE_MS);
  await turn();
}

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  [reads, drawn, failure] = [0, [], ''];
  const candles = () => {
    reads += 1;
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
