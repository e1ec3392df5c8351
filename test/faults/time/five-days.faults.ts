import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sauda } from '../../../client/src/sauda.ts';
import { FIVE_DAYS, type FiveDays, tradeFiveDays } from '../../../examples/five-days/five-days.ts';
import { VendorClient } from '../../../examples/kit/vendor-client.ts';
import { must } from '../../../src/base/assert.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { readRecords } from '../../process/kill/told.ts';
import { StartedService } from '../../process/start/started-service.ts';
import { scratchFolder } from '../trials.ts';

/*
 * The vendor's npm client, unmodified, through five trading days across an expiry in `exchange` hours, twice from the
 * same seed. Between the two runs differ the wall's instants and the secrets, which chance makes, and nothing else. In
 * a short run the second one ends on the second day.
 */

const MINUTE_MS = 60_000;
const DAYS_AGAIN = process.env.SAUDA_FAULT_TRIALS === undefined ? 2 : 5;
const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});

interface Run extends FiveDays {
  readonly ms: number;
  readonly records: readonly JournalRecord[];
}

async function run(name: string, days: number): Promise<Run> {
  const data = join(scratch, name);
  const service = await StartedService.start(data, FIVE_DAYS);
  services.push(service);
  const vendor = new VendorClient(service.base);
  try {
    const user = must(service.demoUsers()[0], 'a demo user');
    await vendor.login(user);
    const token = readFileSync(join(data, 'operator.token'), 'utf8').trim();
    const operator = { url: service.operator, token, by: 'five days' };
    const { time } = new Sauda({ url: new URL(service.base).origin, userId: user.userId, operator });
    const began = performance.now();
    const seen = await tradeFiveDays(vendor, time, days);
    const ms = performance.now() - began;
    assert.equal(await service.end('SIGTERM'), 0);
    assert.equal(verifyJournal(data).damage, undefined);
    return { ...seen, ms, records: readRecords(data) };
  } finally {
    vendor.close();
  }
}

/** The fields of the wall and of chance, wherever they stand. */
const OTHER_EACH_TIME: ReadonlySet<string> = new Set(['wall', 'sealedCredentials', 'tokenDigest']);

/** The text of a record without the facts of the wall and of chance. The wall's instant of `ClockSet` is its `at`. */
function lasting({ events, ...record }: JournalRecord): string {
  const settled = events.map((event) => (event.type === 'ClockSet' ? { ...event, at: 0 } : event));
  return JSON.stringify({ ...record, events: settled }, (key, value) => (OTHER_EACH_TIME.has(key) ? undefined : value));
}

/** The types of all events that the records have. */
function eventsOf(records: readonly JournalRecord[]): Set<string> {
  return new Set(records.flatMap(({ events }) => events.map(({ type }) => type)));
}

test("the vendor's client trades five days across an expiry in under a minute, twice with the same records and answers", async (t) => {
  const whole = await run('whole', 5);
  const again = await run('again', DAYS_AGAIN);
  const last = whole.story.at(-1);
  t.diagnostic(`five trading days in ${(whole.ms / 1000).toFixed(1)} s; ${last}`);
  assert.ok(whole.ms < MINUTE_MS, 'under a minute');

  const begin = whole.diary.slice(0, again.diary.length);
  assert.equal(JSON.stringify(again.diary), JSON.stringify(begin), 'the same answers, byte for byte');
  const records = again.records.map(lasting);
  assert.deepEqual(records, whole.records.slice(0, records.length).map(lasting), 'the same records, byte for byte');

  const seen = eventsOf(whole.records);
  const wanted = [
    'AuctionMatched',
    'SegmentSquaredOff',
    'PositionSettled',
    'ExpiryNoted',
    'SharesSettled',
    'ChargesPosted',
  ];
  for (const type of wanted) assert.ok(seen.has(type), `${type} among ${[...seen].join(' ')}`);
  const rolled = whole.records.flatMap(({ command }) => (command.type === 'RollDay' ? [command.day] : []));
  assert.equal(rolled.length, 6, 'five days and the morning after');
  const story = whole.story.join('\n');
  for (const line of [
    /the auction filled it: 100 at/,
    /squared off at 15:10: 10 at/,
    /and 100 on their way/,
    /is settled: no position/,
  ]) {
    assert.match(story, line);
  }
});
