/**
 * The log lines about a trading day: risk and settlement, ban periods, and API keys that end. It only reads events; the
 * events are decided in the core.
 */

import { formatRupees } from '../base/decimal.ts';
import type { InstrumentId } from '../base/ids.ts';
import { MOST_NAMED, nameList } from '../base/name-list.ts';
import { type EpochMs, formatIsoDay, type IstDay, istTimeOfDay, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import { isKeyAboutToEnd, lastKeyDay } from '../core/access/api-key.ts';
import { usedLimit } from '../core/broker/orders/ban.ts';
import type { PositionSettled } from '../core/broker/settlement/settlement-events.ts';
import type { Event, LimitBanSet, PositionConverted } from '../core/event.ts';
import type { Instruments } from '../core/instrument.ts';
import { accountOf, type State } from '../core/state.ts';
import type { SquareOffSegment } from '../core/trading-days.ts';
import type { Pieces } from './slice.ts';

/** Takes a message for the operator; a warning asks for attention. */
export type Log = (message: string, gravity: 'warn' | 'info') => void;

/** On this number of days, the last day of the key included, the operator is warned that an API key ends. */
const KEY_WARNING_DAYS = 7;

/** How many accounts are looked at before there is a pause: some hundredths of a millisecond. */
const LOOKED_AT_ONCE = 2_000;

/** Logs one line for each event that an operator should know. Source: market-rules R2.25, R4.35, R7.4. */
export function logDay(log: Log, state: State, instruments: Instruments, events: readonly Event[]): void {
  for (const event of events) {
    const note = noteOf(state, instruments, event);
    if (note !== undefined) log(note, WARNINGS.has(event.type) ? 'warn' : 'info');
  }
}

const WARNINGS: ReadonlySet<Event['type']> = new Set([
  'LossesReached',
  'DeliveryUnfunded',
  'PositionSettled',
  'BreakerTripped',
]);

const SEGMENTS: Readonly<Record<SquareOffSegment, string>> = {
  SharesWithContracts: 'intraday positions in shares with contracts',
  OtherShares: 'intraday positions in other shares',
  Contracts: 'intraday positions in contracts',
  UnfundedDeliveries: 'contracts whose delivery is not paid for',
  ExpiringContracts: 'expiring contracts',
};

function noteOf(state: State, instruments: Instruments, event: Event): string | undefined {
  switch (event.type) {
    case 'SegmentSquaredOff':
      return `${SEGMENTS[event.segment]} are squared off`;
    case 'LossesReached': {
      const deed = event.stage === 'Warned' ? 'warned' : 'squared off';
      const figures = `intraday loss ${formatRupees(event.loss)} of funds ${formatRupees(event.funds)}`;
      return `${accountOf(state, event.account).userId} is ${deed}: ${figures}`;
    }
    case 'DeliveryUnfunded': {
      const { needed, available, missing } = event;
      const figures = `needs ${formatRupees(needed)}, has ${formatRupees(available)}, lacks ${missing} shares`;
      return `${accountOf(state, event.account).userId} does not fund its delivery of ${named(instruments, event.group)}: ${figures}`;
    }
    case 'PositionSettled':
      if (event.reason !== 'CloseOut') return undefined;
      return `${accountOf(state, event.account).userId}: ${units(instruments, event)} closed out at ${formatRupees(event.price)}`;
    case 'PositionConverted':
      return `${accountOf(state, event.account).userId}: ${units(instruments, event)} converted from ${event.from} to ${event.to}`;
    case 'BreakerTripped': {
      const minutes = istTimeOfDay((event.until * SECOND_MS) as EpochMs) / MINUTE_MS;
      const clock = `${Math.floor(minutes / 60)}:${String(Math.floor(minutes % 60)).padStart(2, '0')}`;
      return `the market is halted: an index has moved by ${event.stage} %, until ${minutes === 0 ? 'the day ends' : clock}`;
    }
    case 'LimitBanSet':
      return limitBan(instruments, event);
    case 'DayEndReached':
      return event.step === 'Charges' ? `the day ${formatIsoDay(event.day)} has ended` : undefined;
    default:
      return undefined;
  }
}

function units(instruments: Instruments, event: PositionSettled | PositionConverted): string {
  return `${event.quantity} ${named(instruments, event.instrument)}`;
}

function named(instruments: Instruments, id: InstrumentId): string {
  const instrument = instruments.get(id);
  return instrument === undefined ? `instrument ${id}` : `${instrument.tradingSymbol} on ${instrument.exchange}`;
}

function limitBan(instruments: Instruments, { underlying, banned, openInterest, limit }: LimitBanSet): string {
  const deed = banned ? 'has begun' : 'is over';
  return `the ban period of ${named(instruments, underlying)} ${deed}: open interest is ${usedLimit({ openInterest, limit })}`;
}

/** Warns of the API keys that end within days of `day`, a day of the wall, in pieces. Source: market-rules R9.8. */
export function* warnOfEndingKeys(log: Log, { accounts }: State, day: IstDay): Pieces {
  const named: string[] = [];
  let count = 0;
  for (let id = 0; id < accounts.length; id += 1) {
    const account = accounts.at(id);
    if (account !== undefined && isKeyAboutToEnd(account, day, KEY_WARNING_DAYS)) {
      count += 1;
      if (count <= MOST_NAMED) named.push(`${account.userId} (${formatIsoDay(lastKeyDay(account))})`);
    }
    if (id % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) yield;
  }
  if (count === 0) return;
  const users = nameList(named, count);
  log(`API keys that end soon: ${users}. "sauda user key" renews one; a start renews those of demo users`, 'warn');
}
