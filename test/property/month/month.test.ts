import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { parseIsoDay } from '../../../src/base/time.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { Judge } from './judge.ts';
import { MonthRun } from './month-run.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 1);
/** A Monday on which monthly contracts expire, because the Tuesday after is a holiday. */
const FIRST_DAY = must(parseIsoDay('2026-11-23'), 'a date');
const DAYS = 39;
const COMMANDS_EACH_VISIT = 20;
/** Days without a process, counted from the first: a weekend and its neighbours, and the days around Christmas. */
const AWAY = [11, 12, 13, 14, 32, 33, 34];

describe(`a month of 50 users (seed ${SEED})`, () => {
  it('keeps money, shares and positions through expiries, holidays and restarts', async (t) => {
    const judge = new Judge();
    const run = new MonthRun(SEED, FIRST_DAY, judge);
    await run.liveThrough(DAYS, COMMANDS_EACH_VISIT, AWAY);
    const { replica } = recover(run.journal, undefined, LIVE);
    assert.equal(replica.hash(), run.live.hash(), 'a replay from the first record gives the live state');
    t.diagnostic(`${run.live.seq} records, ${judge.restarts} restarts`);
    for (const happened of [
      'Traded',
      'AfterMarketTaken',
      'AfterMarketReleased',
      'PositionConverted',
      'PositionSettled',
      'PositionMarked',
      'ExpiryNoted',
      'SharesSettled',
      'ChargesPosted',
      'SegmentSquaredOff',
      'Rejected:MarginShortfall',
    ]) {
      assert.ok((judge.counted.get(happened) ?? 0) > 0, `${happened} has to happen in a month`);
    }
    assert.ok(judge.restarts >= 3, 'the service has to be started again');
  });
});
