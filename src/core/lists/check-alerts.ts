import { assert } from '../../base/assert.ts';
import type { AccountId, InstrumentId } from '../../base/ids.ts';
import type { State } from '../state.ts';
import { type Alert, triggerOf } from './alert.ts';
import { ENDED_ALERTS_KEPT } from './alert-table.ts';
import { MOST_ACTIVE_ALERTS, MOST_ALERTS_ON_INSTRUMENT } from './alerts.ts';

/** Checks the bounds of all alerts, and that exactly those that are active stand armed. */
export function checkAlerts(state: State): void {
  const seen = new Set<number>();
  const ended = new Map<AccountId, number>();
  const active = new Map<AccountId, number>();
  const on = new Map<InstrumentId, number>();
  for (const alert of state.alerts.values()) {
    assert(!seen.has(alert.number) && alert.number <= state.seq, `alert ${alert.number} has a number of its own`);
    seen.add(alert.number);
    checkAlert(state, alert);
    count(alert.end === undefined ? active : ended, alert.account);
    if (alert.end === undefined) count(on, alert.instrument);
  }
  const armed = [...state.standing.all()].filter(({ owner }) => owner === 'Alert').length;
  assert(armed === sum(active), 'no trigger of an alert stands without it');
  for (const [account, number] of active) {
    assert(number <= MOST_ACTIVE_ALERTS, `account ${account} has no more active alerts than it may`);
    assert(number === state.alerts.activeCountOf(account), `the active alerts of account ${account} are counted`);
  }
  for (const [account, number] of ended) assert(number <= ENDED_ALERTS_KEPT, `few ended alerts of ${account} are kept`);
  for (const [instrument, number] of on) {
    assert(number <= MOST_ALERTS_ON_INSTRUMENT, `instrument ${instrument} has no more alerts than it may`);
    assert(number === state.alerts.activeCountOn(instrument), `the active alerts on ${instrument} are counted`);
  }
}

function checkAlert({ accounts, standing, at }: State, alert: Alert): void {
  const { number, account, price, placedAt, end } = alert;
  assert(accounts.at(account) !== undefined && price > 0, `alert ${number} has an account and a price`);
  assert(standing.isArmed(triggerOf(alert)) === (end === undefined), `alert ${number} is armed while it is active`);
  if (end === undefined) return;
  assert(placedAt <= end.at && end.at <= at, `alert ${number} ended after it was placed`);
  assert((end.how === 'Fired') === (end.price !== undefined), `alert ${number} has a price when it fired`);
}

function sum(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0);
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
