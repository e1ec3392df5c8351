import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { type IstDay, MINUTE_MS, parseIsoDay } from '../../base/time.ts';
import { nextTradingDay, SQUARE_OFF_SEGMENTS, tradingDayFrom } from '../../core/trading-days.ts';
import { loadReferenceData } from '../instruments/load.ts';

const { days } = loadReferenceData(join(import.meta.dirname, '../../../data'));

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

function cutOffs(date: string): Record<string, string> {
  return Object.fromEntries(
    SQUARE_OFF_SEGMENTS.map((segment) => {
      const minutes = days.squareOffTime(segment, day(date)) / MINUTE_MS;
      return [segment, `${Math.floor(minutes / 60)}:${minutes % 60}`];
    }),
  );
}

test('the cut-offs of an ordinary day are those of R2.23 and R7.4', () => {
  assert.deepEqual(cutOffs('2026-11-23'), {
    SharesWithContracts: '15:10',
    OtherShares: '15:20',
    Contracts: '15:30',
    ExpiringContracts: '15:30',
    UnfundedDeliveries: '14:30',
  });
});

test('contracts that expire are entered until 15:15 since they trade to 15:40, as long before the end of other days', () => {
  const at = (date: string) => days.expiringEntryEnds?.(day(date));
  assert.equal(at('2026-11-23'), 15.25 * 60 * MINUTE_MS);
  assert.equal(at('2026-11-08'), (18 * 60 + 50) * MINUTE_MS);
  assert.equal(at('2026-07-28'), undefined, 'until their square-off');
});

test('before the closing auction came, shares were squared off together and contracts earlier', () => {
  const { SharesWithContracts, OtherShares, Contracts } = cutOffs('2026-07-31');
  assert.deepEqual([SharesWithContracts, OtherShares, Contracts], ['15:20', '15:20', '15:25']);
});

test('on a day with a session of its own the cut-offs lie as long before its end', () => {
  const { SharesWithContracts, OtherShares, Contracts, UnfundedDeliveries } = cutOffs('2026-11-08');
  assert.deepEqual([SharesWithContracts, OtherShares, Contracts], ['18:55', '19:5', '19:5']);
  assert.equal(UnfundedDeliveries, '18:5');
  assert.equal(cutOffs('2024-03-02').UnfundedDeliveries, '11:30', 'not before the session begins');
});

test('a Saturday belongs to the Monday after it, and to the Tuesday when Monday is a holiday', () => {
  assert.equal(tradingDayFrom(days, day('2026-11-21')), day('2026-11-23'));
  assert.equal(tradingDayFrom(days, day('2026-11-23')), day('2026-11-23'));
  assert.equal(nextTradingDay(days, day('2026-11-23')), day('2026-11-25'), '24 November is a holiday');
  assert.equal(nextTradingDay(days, day('2026-11-06')), day('2026-11-08'), 'Muhurat on a Sunday trades');
});
