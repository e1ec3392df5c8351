import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { Exchange, Tick } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { dayOf, instantOf, tickOf } from '../../base/tick.ts';
import { formatIstMoment, type IstDay, parseIsoDay } from '../../base/time.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { KNOWN_DAYS } from '../synthetic/paths/span-of-days.ts';
import { exchangeSession } from './exchange-session.ts';
import { calendarHours, Sessions } from './sessions.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const sessionsOf = (seed: number, regime: HoursRegime = 'exchange') =>
  new Sessions(regime, calendarHours(data), seed, KNOWN_DAYS);

function tick(on: string, clock: string): Tick {
  const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number);
  return tickOf(must(parseIsoDay(on), on), hour * 3600 + minute * 60 + second);
}

function told(exchange: Exchange, on: string, clock: string, sessions = sessionsOf(7)): string {
  const { phase, next } = exchangeSession(sessions, exchange, tick(on, clock));
  return next === undefined ? phase : `${phase}, ${next.phase} ${formatIstMoment(next.at).slice(0, 16)}`;
}

test('an exchange goes through its phases, and each names the next one and its time', () => {
  const day = '2026-11-20';
  assert.equal(told('NSE', day, '08:59:59'), 'Closed, PreOpen 2026-11-20 09:00');
  assert.equal(told('NSE', day, '09:00:00'), 'PreOpen, PreOpenLimitOnly 2026-11-20 09:05');
  assert.equal(told('NSE', day, '09:11:00'), 'PreOpenMatching, Buffer 2026-11-20 09:12');
  assert.equal(told('BSE', day, '09:12:00'), 'Buffer, Continuous 2026-11-20 09:15');
  assert.equal(told('NSE', day, '09:15:00'), 'Continuous, ClosingReference 2026-11-20 15:15');
  assert.equal(told('NSE', day, '15:34:59'), 'ClosingMatching, Closed 2026-11-20 15:35');
  assert.equal(told('NSE', day, '15:35:00'), 'Closed, PostClose 2026-11-20 15:50');
  assert.equal(told('NFO', day, '09:00:00'), 'Closed, Continuous 2026-11-20 09:15');
  assert.equal(told('BFO', day, '15:39:59'), 'Continuous, Closed 2026-11-20 15:40');
});

test('an exchange that is closed names the opening of its next trading day', () => {
  assert.equal(told('NSE', '2026-11-20', '16:00:00'), 'Closed, PreOpen 2026-11-23 09:00', 'a Friday evening');
  assert.equal(told('NFO', '2026-11-21', '12:00:00'), 'Closed, Continuous 2026-11-23 09:15', 'a Saturday');
  assert.equal(told('NSE', '2026-11-08', '12:00:00'), 'Closed, PreOpen 2026-11-08 17:45', 'before a Muhurat evening');
});

test('the second of a random close is not known before it has come', () => {
  const drawn = new Set<Tick>();
  for (let seed = 1; seed <= 12; seed += 1) {
    const sessions = sessionsOf(seed);
    let at = tick('2026-11-20', '09:05:00');
    while (exchangeSession(sessions, 'NSE', at).phase === 'PreOpenLimitOnly') {
      const { next } = exchangeSession(sessions, 'NSE', at);
      assert.equal(next?.at, instantOf(tick('2026-11-20', '09:10:00')), `seed ${seed}`);
      at = (at + 1) as Tick;
    }
    assert.equal(exchangeSession(sessions, 'NSE', at).phase, 'PreOpenMatching');
    drawn.add(at);
  }
  assert.ok(drawn.size > 3, 'the phase itself ends at a random second');
});

test('every boundary comes at its time, or earlier where a close is random', () => {
  const sessions = sessionsOf(7);
  for (const exchange of ['NSE', 'NFO'] as const) {
    let at = tick('2026-11-05', '00:00:00');
    const end = tick('2026-11-13', '00:00:00');
    while (at < end) {
      const { phase, next } = exchangeSession(sessions, exchange, at);
      const boundary = must(next, 'a next phase').at / 1000;
      let change = at;
      while (exchangeSession(sessions, exchange, change).phase === phase) change = (change + 1) as Tick;
      const isRandom = phase === 'PreOpenLimitOnly' || phase === 'ClosingLimitOnly';
      assert.ok(isRandom ? change <= boundary : change === boundary, `${exchange} ${formatIstMoment(instantOf(at))}`);
      assert.equal(exchangeSession(sessions, exchange, change).phase, next?.phase);
      at = change;
    }
    assert.ok(dayOf(at) >= (must(parseIsoDay('2026-11-13'), 'a day') as IstDay));
  }
});

test('in the hours that always trade nothing follows', () => {
  assert.equal(told('NSE', '2026-11-22', '03:00:00', sessionsOf(7, 'always')), 'Continuous');
});
