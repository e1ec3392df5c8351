import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import { Random } from '../../base/random.ts';
import { tickOf } from '../../base/tick.ts';
import { type IstDay, istInstant, parseIsoDay } from '../../base/time.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { KNOWN_DAYS } from '../synthetic/paths/span-of-days.ts';
import { SyntheticMarket } from '../synthetic/synthetic-market.ts';
import { calendarHours, phaseAt, phaseSpanAt, Sessions } from './sessions.ts';

const SECONDS = 24 * 60 * 60;
const FRIDAY = must(parseIsoDay('2026-11-20'), 'a day');
const SEED = 7;
const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const calendar = calendarHours(data);
const sessions = new Sessions('exchange', calendar, SEED, KNOWN_DAYS);

test('each second of a day lies in the span of its phase, and the spans cover the day', () => {
  const phases = sessions.exchangePhases('NSE', FRIDAY) ?? [];
  assert.ok(phases.length > 5, 'a day with auctions');
  let end = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    const span = phaseSpanAt(phases, second);
    assert.ok(span.start <= second && second < span.end, `second ${second} is in its span`);
    const named = phases.find(({ start, end: until }) => second >= start && second < until)?.phase ?? 'Closed';
    assert.deepEqual([span.phase, phaseAt(phases, second)], [named, named], `second ${second}`);
    if (second === end) {
      assert.equal(span.start, end, 'a span begins where the one before it ends');
      end = span.end;
    }
  }
  assert.equal(end, SECONDS);
});

test('a market gives a second the same phase, whatever it was asked before', () => {
  const instruments = data.master();
  const market = new SyntheticMarket({ seed: SEED, regime: 'exchange', instruments, facts: data.facts, calendar });
  const listed = [...instruments.list('NSE', istInstant(FRIDAY))];
  const share = must(
    listed.find(({ tradingSymbol }) => tradingSymbol === 'RELIANCE-EQ'),
    'a share',
  );
  const index = must(
    listed.find(({ kind }) => kind === 'index'),
    'an index',
  );
  const random = new Random(11);
  const seen = new Set<string>();
  for (let turn = 0; turn < 2_000; turn += 1) {
    const day = (FRIDAY + random.below(3)) as IstDay;
    const second = random.between(32_000, 60_000);
    const phase = market.phase(share.id, tickOf(day, second));
    assert.equal(phase, phaseAt(sessions.phases(share, day), second), `second ${second} of day ${day}`);
    assert.equal(market.phase(index.id, tickOf(day, second)), 'Closed', 'an index does not trade');
    seen.add(phase);
  }
  for (const phase of ['Closed', 'PreOpen', 'Continuous', 'PostClose']) assert.ok(seen.has(phase), phase);
});
