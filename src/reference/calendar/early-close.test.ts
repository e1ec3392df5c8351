import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import { instrumentId } from '../../base/ids.ts';
import { HOUR_MS, istInstant, istTimeOfDay, MINUTE_MS, parseIsoDay } from '../../base/time.ts';
import { loadReferenceData, type ReferenceData } from '../instruments/load.ts';

const NIFTY = instrumentId('NSE', 26_000);
const EXPIRY = must(parseIsoDay('2026-12-29'), 'a Tuesday, the last of its month');
const NOON = 12 * HOUR_MS;

/** The facts with a day that closes at noon. */
function withEarlyClose(use: (data: ReferenceData) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-early-'));
  try {
    cpSync(join(import.meta.dirname, '../../../data'), folder, { recursive: true });
    const rows = ['NSE', 'BSE'].map((exchange) => `${exchange},2026-12-29,09:15-12:00,Early close\n`);
    appendFileSync(join(folder, 'special-sessions.csv'), rows.join(''));
    use(loadReferenceData(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a contract that expires on a day that closes at noon ends at noon, and everything of the day with it', () => {
  withEarlyClose(({ master, timetable, days }) => {
    const instruments = master();
    const at = istInstant(EXPIRY, 10 * HOUR_MS);
    const [option] = instruments.chain(NIFTY, EXPIRY, at);
    assert.ok(option !== undefined, 'it is listed in the morning');
    assert.equal(istTimeOfDay(option.expiresAt), NOON);
    assert.equal(
      instruments.find('NFO', option.tradingSymbol, istInstant(EXPIRY, NOON)),
      undefined,
      'and gone at noon',
    );
    const share = must(instruments.find('NSE', 'RELIANCE-EQ', at), 'a share with contracts');
    for (const listed of [option, share]) {
      const last = must(timetable.phases(listed, EXPIRY).at(-1), 'it trades');
      assert.deepEqual([last.phase, last.end], ['Continuous', NOON], 'no closing auction and nothing after the close');
    }
    assert.equal(days.squareOffTime('ExpiringContracts', EXPIRY), NOON - 10 * MINUTE_MS);
    assert.equal(days.squareOffTime('SharesWithContracts', EXPIRY), NOON - 20 * MINUTE_MS);
    const hours = must(days.afterMarket?.(option, EXPIRY), 'orders wait for the next session');
    assert.equal(hours.opens, NOON + 5 * MINUTE_MS, 'as long after the close as on other days');
    assert.equal(hours.closes, 9 * HOUR_MS + 10 * MINUTE_MS);
    assert.equal(days.settles?.(EXPIRY), true);
  });
});
