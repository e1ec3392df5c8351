import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { parseIsoDay } from '../../../src/base/time.ts';
import { LTFH, RELIANCE } from '../../kit/wire/fake-instruments.ts';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const from = must(parseIsoDay('2025-12-10'), 'a day');
const to = must(parseIsoDay('2026-06-12'), 'a day');
const SPAN = '2025-12-10 to 2026-06-12';
/** A market in which RELIANCE was recorded and L&TFH was not; the rest trades as ever. */
const market = {
  ...fakeMarket,
  recordedDays: (id: number) => {
    if (id === LTFH.id) return 'none' as const;
    return id === RELIANCE.id ? { from, to } : undefined;
  },
};

test('an instrument that trades on recorded days alone is found with them, and others without', async () => {
  const world = await openWorld({ market });
  const infoOf = async (path: string, message: string, tradingSymbol: string) => {
    const seen = await world.call(path, ALICE, { exchange: 'NSE', tradingSymbol });
    return assertSuccess(seen, message) as Readonly<Record<string, string>>;
  };
  const found = await world.call('/searchScrips', ALICE, { stext: 'RELIANCE-EQ' });
  const rows = assertSuccess(found, 'Search symbols') as Record<string, string>[];
  const days = rows.filter(({ tradingSymbol }) => tradingSymbol === 'RELIANCE-EQ').map((row) => row.recordedDays);
  assert.deepEqual(days, [SPAN]);
  for (const [path, message] of [
    ['/securityInfo', 'Fetched security info successfully'],
    ['/getInstrument', 'Instrument retrieved successfully'],
  ] as const) {
    assert.equal((await infoOf(path, message, 'RELIANCE-EQ')).recordedDays, SPAN);
    assert.equal((await infoOf(path, message, 'L&TFH-EQ')).recordedDays, 'none');
    assert.ok(!('recordedDays' in (await infoOf(path, message, 'IDEA-EQ'))));
  }
  await world.close();
});
