/**
 * Kills of a service while its market runs a thousand times as fast as the wall, and while it stands still with orders
 * that rest: after each start the market stands where the journal says, and the day ends with the records of a service
 * that nobody killed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import type { Random } from '../../../src/base/random.ts';
import { formatIstMoment } from '../../../src/base/time.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import type { ClockReport } from '../../../src/operator/operations/clock-operations.ts';
import { readRecords } from '../../process/kill/told.ts';
import { StartedService } from '../../process/start/started-service.ts';
import { longRun, scratchFolder, trials } from '../trials.ts';

const BEGIN = '2026-11-20 10:00:00';
const END = '2026-11-20 16:00:00';
const SETTINGS = { SAUDA_HOURS: 'exchange', SAUDA_SEED: '21' } as const;
const SHARES = ['RELIANCE', 'ITC', 'TCS', 'INFY', 'IDEA'];
/** Kills before the last one, after each of which the market is shown before it goes on. */
const KILLS = process.env.SAUDA_FAULT_TRIALS === undefined ? 1 : 2;
/** Up to the tens of minutes: a life passes at least one of them. */
const LEAST_DIGITS = '2026-11-20 10:0'.length;
/** Twenty minutes of the market, so that the last kill comes within the session. */
const MOST_MORE_MS = 1_200;
const GROUNDS = { by: 'desk', why: 'a drill' };

const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});
let undisturbed: readonly string[];

async function started(data: string, settings: Readonly<Record<string, string>> = {}): Promise<StartedService> {
  const service = await StartedService.start(data, { ...SETTINGS, ...settings });
  services.push(service);
  return service;
}

async function clockOf(service: StartedService): Promise<ClockReport> {
  const token = readFileSync(join(service.data, 'operator.token'), 'utf8').trim();
  const answer = await fetch(`${service.operator}/clock`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as ClockReport;
}

async function set(service: StartedService, path: string, wish: object): Promise<void> {
  const answer = await service.postToOperator(path, { ...wish, ...GROUNDS });
  assert.equal(answer.status, 200, await answer.text());
}

interface Session {
  readonly userId: string;
  readonly jKey: string;
}

/** Opens a folder whose market stands still, and places orders that rest, and stops, a little off the market. */
async function withOrders(data: string): Promise<{ readonly service: StartedService; readonly session: Session }> {
  const service = await started(data, { SAUDA_CLOCK: BEGIN.replace(' ', 'T'), SAUDA_SPEED: '0' });
  const { body } = await service.call('demoLogin', { userId: 'SD1001' });
  const session = { userId: 'SD1001', jKey: (body.data as { susertoken: string }).susertoken };
  for (const share of SHARES) {
    const name = { exchange: 'NSE', tradingSymbol: `${share}-EQ` };
    const quote = await service.call('getQuote', { ...session, ...name });
    const last = Number((quote.body.data as Record<string, string>).lastTradedPrice);
    for (const [number, off] of [0.999, 0.997, 0.99, 0.95].entries()) {
      const price = (Math.floor(last * off * 10) / 10).toFixed(1);
      const terms = {
        product: 'I',
        transactionType: 'B',
        quantity: '5',
        retention: 'DAY',
        remarks: `${share} ${number}`,
      };
      const order = { ...session, ...name, ...terms, priceType: 'LMT', price, triggerPrice: '0' };
      const placed = await service.call('placeOrder', order);
      assert.equal(placed.status, 200, JSON.stringify(placed.body));
    }
  }
  return { service, session };
}

async function statuses(service: StartedService, session: Session): Promise<readonly string[]> {
  const { body } = await service.call('orderBook', { ...session });
  return (body.data as Record<string, string>[]).map(({ remarks, status }) => `${remarks} ${status}`);
}

/** The market's records in the folder, without the clock's, the door's and the facts of the wall and of chance. */
function marketRecords(records: readonly JournalRecord[]): readonly string[] {
  const apart = new Set(['SetClock', 'MarkClock', 'OpenSession', 'TouchSession', 'RegisterUser', 'ExpireSessions']);
  return records
    .filter(({ command }) => !apart.has(command.type))
    .map(({ at, command, events }) =>
      JSON.stringify({ at, command, events }, (key, value) => (key === 'wall' ? undefined : value)),
    );
}

async function endOfDay(service: StartedService): Promise<readonly string[]> {
  await set(service, '/clock/to', { at: END.replace(' ', 'T') });
  assert.equal((await clockOf(service)).market, END);
  assert.equal(await service.end('SIGTERM'), 0);
  assert.equal(verifyJournal(service.data).damage, undefined);
  return marketRecords(readRecords(service.data));
}

/** The instant of the last record, as the report of the clock has it. */
function lastOf(data: string): string {
  return formatIstMoment(must(readRecords(data).at(-1), 'a record').at);
}

/** A life at x1000 that ends by a kill, some minutes of the market later at least. */
async function killedInRun(service: StartedService, random: Random): Promise<void> {
  const { market: from } = await clockOf(service);
  await set(service, '/clock', { speed: 1_000 });
  for (let now = from; now.slice(0, LEAST_DIGITS) === from.slice(0, LEAST_DIGITS); ) {
    await sleep(10);
    now = (await clockOf(service)).market;
  }
  await sleep(random.below(MOST_MORE_MS));
  await service.end('SIGKILL');
}

longRun(
  'a service that is killed at x1000, and with orders that rest in a market that stands still, ends its day as an undisturbed one',
  async (t) => {
    const { service } = await withOrders(join(scratch, 'undisturbed'));
    undisturbed = await endOfDay(service);
    assert.ok(undisturbed.some((record) => record.includes('"Traded"')));
    await trials(t, 'kills of a fast clock', 1, async (random, number) => {
      const data = join(scratch, `killed-${number}`);
      const opened = await withOrders(data);
      const resting = await statuses(opened.service, opened.session);
      assert.equal(resting.length, SHARES.length * 4);
      await opened.service.end('SIGKILL');

      let service = await started(data);
      assert.deepEqual([(await clockOf(service)).market, (await clockOf(service)).speed], [BEGIN, 0]);
      assert.deepEqual(await statuses(service, opened.session), resting);
      let before = BEGIN;
      for (let kill = 0; kill < KILLS; kill += 1) {
        await killedInRun(service, random);
        const last = lastOf(data);
        assert.ok(last > before && last < END, `${last} after ${before}`);
        before = last;
        // A start with a speed of 0 shows where the market stands before it goes on.
        service = await started(data, { SAUDA_SPEED: '0' });
        assert.deepEqual([(await clockOf(service)).market, (await clockOf(service)).speed], [last, 0]);
      }
      await killedInRun(service, random);
      const last = lastOf(data);
      assert.ok(last < END, last);
      service = await started(data);
      const goesOn = await clockOf(service);
      assert.equal(goesOn.speed, 1_000);
      assert.ok(goesOn.market >= last, `${goesOn.market} after ${last}`);
      assert.deepEqual(await endOfDay(service), undisturbed);
      return resting.length;
    });
  },
);
