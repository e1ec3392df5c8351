import assert from 'node:assert/strict';
import test from 'node:test';
import type { OrderTerms } from '../../order.ts';
import type { Phase } from '../phase.ts';
import { actionRefusal, type DoorAction, termsRefusal } from './doors.ts';

/** The answer of each phase to a new order, a modification and a cancellation: `-` lets it in. */
const ANSWERS: { readonly [Name in Phase]: readonly [place: string, modify: string, cancel: string] } = {
  Closed: ['MarketClosed', 'MarketClosed', '-'],
  PreOpen: ['-', '-', '-'],
  PreOpenLimitOnly: ['-', '-', '-'],
  PreOpenMatching: ['EntryClosed', 'EntryClosed', 'EntryClosed'],
  Buffer: ['EntryClosed', 'EntryClosed', '-'],
  Continuous: ['-', '-', '-'],
  ClosingReference: ['MarketHalted', 'MarketHalted', '-'],
  ClosingEntry: ['-', '-', '-'],
  ClosingLimitOnly: ['-', '-', '-'],
  ClosingMatching: ['EntryClosed', 'EntryClosed', 'EntryClosed'],
  PostClose: ['-', '-', '-'],
};

test('each phase takes its actions and refuses the others by its own rule', () => {
  const actions: readonly DoorAction[] = ['place', 'modify', 'cancel'];
  for (const [phase, answers] of Object.entries(ANSWERS)) {
    const given = actions.map((action) => actionRefusal(phase as Phase, action)?.rule ?? '-');
    assert.deepEqual(given, answers, phase);
  }
});

/**
 * The answer of each phase that takes orders to a limit, a market, an immediate limit, a stop-limit and a stop-market
 * order.
 */
const TYPES: { readonly [Name in Phase]?: readonly string[] } = {
  PreOpen: ['-', '-', 'ImmediateNotAllowedNow', 'StopNotAllowedNow', 'StopNotAllowedNow'],
  PreOpenLimitOnly: [
    '-',
    'MarketOrderNotAllowedNow',
    'ImmediateNotAllowedNow',
    'StopNotAllowedNow',
    'StopNotAllowedNow',
  ],
  Continuous: ['-', '-', '-', '-', '-'],
  ClosingEntry: ['-', '-', 'ImmediateNotAllowedNow', 'StopNotAllowedNow', 'StopNotAllowedNow'],
  ClosingLimitOnly: [
    '-',
    'MarketOrderNotAllowedNow',
    'ImmediateNotAllowedNow',
    'StopNotAllowedNow',
    'StopNotAllowedNow',
  ],
  PostClose: ['MarketOrdersOnly', '-', 'MarketOrdersOnly', 'StopNotAllowedNow', 'StopNotAllowedNow'],
};

test('each phase takes its types of order and refuses the others by their own rule', () => {
  const shapes = [
    ['LMT', 'DAY'],
    ['MKT', 'DAY'],
    ['LMT', 'IOC'],
    ['SL-LMT', 'DAY'],
    ['SL-MKT', 'DAY'],
  ] as const;
  for (const [phase, answers] of Object.entries(TYPES)) {
    const given = shapes.map(([priceType, retention]) => {
      const terms = { priceType, retention } as OrderTerms;
      return termsRefusal(phase as Phase, terms, 'NSE')?.rule ?? '-';
    });
    assert.deepEqual(given, answers, phase);
  }
  const immediate = { priceType: 'MKT', retention: 'IOC' } as OrderTerms;
  assert.equal(termsRefusal('PostClose', immediate, 'NSE'), undefined);
  assert.equal(termsRefusal('PreOpen', immediate, 'NSE')?.rule, 'ImmediateNotAllowedNow');
});
