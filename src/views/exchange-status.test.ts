import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../base/assert.ts';
import type { Tick } from '../base/ids.ts';
import { instantOf, tickOf } from '../base/tick.ts';
import { parseIsoDay } from '../base/time.ts';
import type { ExchangeSession } from '../core/market.ts';
import { emptyState } from '../core/state.ts';
import { switchKey } from '../core/switches/switch.ts';
import { exchangeStatus } from './exchange-status.ts';

const DAY = must(parseIsoDay('2026-11-20'), 'a day');
const at = (hour: number, minute: number): Tick => tickOf(DAY, hour * 3600 + minute * 60);
const CLOSE = at(15, 15);

/** Opens by an auction, trades from 09:15 to 15:15. */
const market = {
  session: (_exchange: string, tick: Tick): ExchangeSession => {
    if (tick < at(9, 15)) return { phase: 'PreOpen', next: { phase: 'Continuous', at: instantOf(at(9, 15)) } };
    return { phase: 'Continuous', next: { phase: 'Closed', at: instantOf(CLOSE) } };
  },
};

test('the status is that of the session while nothing is halted', () => {
  const status = exchangeStatus(emptyState(), market, 'NSE', at(11, 0));
  assert.deepEqual(status, { exchange: 'NSE', phase: 'Continuous', next: { phase: 'Closed', at: instantOf(CLOSE) } });
});

test('an exchange that an operator halts is halted, until nobody knows when', () => {
  const state = emptyState();
  const target = { kind: 'Halt', exchange: 'NFO' } as const;
  state.switches.set(switchKey(target), { target, since: instantOf(at(10, 0)), by: 'x', why: 'y' });
  assert.deepEqual(exchangeStatus(state, market, 'NFO', at(11, 0)), { exchange: 'NFO', phase: 'Halted' });
  assert.equal(exchangeStatus(state, market, 'NSE', at(11, 0)).phase, 'Continuous');
});

test('a halt of the whole market ends with an auction, and then trading goes on', () => {
  const state = emptyState();
  state.breaker = { stage: 10, until: at(12, 0) };
  const next = { phase: 'Continuous', at: instantOf(at(12, 0)) };
  const phaseAt = (tick: Tick) => exchangeStatus(state, market, 'NSE', tick).phase;
  assert.deepEqual(exchangeStatus(state, market, 'NSE', at(11, 0)), { exchange: 'NSE', phase: 'Halted', next });
  assert.equal(phaseAt(at(11, 44)), 'Halted');
  assert.equal(phaseAt(at(11, 45)), 'PreOpen');
  assert.equal(phaseAt(at(11, 54)), 'PreOpenMatching');
  assert.equal(phaseAt(at(11, 58)), 'Buffer');
  assert.equal(phaseAt(at(12, 0)), 'Continuous');
});

test('a halt of the whole market that outlasts the session leaves the end of the session', () => {
  const state = emptyState();
  state.breaker = { stage: 20, until: at(24, 0) };
  const { phase, next } = exchangeStatus(state, market, 'NSE', at(11, 0));
  assert.deepEqual([phase, next?.phase, next?.at], ['Halted', 'Closed', instantOf(CLOSE)]);
});
