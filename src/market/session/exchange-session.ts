import type { Exchange, Tick } from '../../base/ids.ts';
import { dayOf, firstTickOf } from '../../base/tick.ts';
import { type IstDay, istInstant, SECOND_MS } from '../../base/time.ts';
import type { ExchangeSession } from '../../core/market.ts';
import { phaseAt, type Sessions } from './sessions.ts';

/** No exchange is closed for this number of days. */
const MOST_CLOSED_DAYS = 31;

type Next = NonNullable<ExchangeSession['next']>;

/** The phase of an exchange at a tick, and the phase that follows. Source: market-rules 2.1. */
export function exchangeSession(sessions: Sessions, exchange: Exchange, tick: Tick): ExchangeSession {
  const day = dayOf(tick);
  const today = sessions.exchangePhases(exchange, day);
  if (today === undefined) return { phase: 'Continuous' };
  const second = tick - firstTickOf(day);
  const current = today.find(({ start, end }) => second >= start && second < end);
  if (current !== undefined) {
    const after = phaseAt(today, current.end);
    return { phase: current.phase, next: nextOf(day, after, current.latestEnd) };
  }
  const later = today.find(({ start }) => start > second);
  if (later !== undefined) return { phase: 'Closed', next: nextOf(day, later.phase, later.start) };
  const next = nextOpening(sessions, exchange, day);
  return { phase: 'Closed', ...(next && { next }) };
}

function nextOpening(sessions: Sessions, exchange: Exchange, day: IstDay): Next | undefined {
  for (let days = 1; days <= MOST_CLOSED_DAYS; days += 1) {
    const candidate = (day + days) as IstDay;
    const [first] = sessions.exchangePhases(exchange, candidate) ?? [];
    if (first !== undefined) return nextOf(candidate, first.phase, first.start);
  }
  return undefined;
}

function nextOf(day: IstDay, phase: Next['phase'], second: number): Next {
  return { phase, at: istInstant(day, second * SECOND_MS) };
}
