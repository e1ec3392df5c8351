/**
 * The next boundaries of the market: the phases of exchanges, square-offs, expiry and the end of the day. A step of the
 * clock can end at one of them.
 */
import { EXCHANGES, type Exchange, type InstrumentId } from '../../../base/ids.ts';
import { type EpochMs, type IstDay, istDay, istInstant } from '../../../base/time.ts';
import type { Phase } from '../../../core/exchange/phase.ts';
import type { InstrumentDirectory } from '../../../core/instrument.ts';
import type { MarketData } from '../../../core/market.ts';
import type { DecisionPorts } from '../../../core/ports.ts';
import type { State } from '../../../core/state.ts';
import { nextTradingDay, type SquareOffSegment, tradingDayFrom } from '../../../core/trading-days.ts';
import { exchangeStatus } from '../../../views/exchange-status.ts';

/** One boundary; without an exchange it is one of all of them. */
export interface Boundary {
  readonly exchange?: Exchange;
  readonly what: string;
  readonly at: EpochMs;
}

/** The parts of the market that know its boundaries. */
export interface BoundaryParts {
  readonly market: Pick<MarketData, 'session' | 'tickAt'>;
  readonly instruments: Pick<InstrumentDirectory, 'underlyingOf' | 'expiries' | 'chain'>;
}

/** The indices whose next expiry is shown, with the exchange of their contracts. */
const EXPIRING: readonly (readonly [exchange: Exchange, name: string])[] = [
  ['NFO', 'NIFTY'],
  ['BFO', 'SENSEX'],
];

const PHASE_NAMES: Readonly<Record<Phase, string>> = {
  Closed: 'close',
  PreOpen: 'opening auction',
  PreOpenLimitOnly: 'limit orders only in the opening auction',
  PreOpenMatching: 'matching of the opening auction',
  Buffer: 'end of the opening auction',
  Continuous: 'open',
  ClosingReference: 'end of continuous trading',
  ClosingEntry: 'closing auction',
  ClosingLimitOnly: 'limit orders only in the closing auction',
  ClosingMatching: 'matching of the closing auction',
  PostClose: 'post-close session',
};

const SQUARE_OFF_NAMES: readonly (readonly [segment: SquareOffSegment, what: string])[] = [
  ['SharesWithContracts', 'square-off of shares with contracts'],
  ['OtherShares', 'square-off of other shares'],
  ['Contracts', 'square-off of contracts'],
];
const EXPIRY_SQUARE_OFF_NAMES: typeof SQUARE_OFF_NAMES = [
  ['UnfundedDeliveries', 'square-off of unpaid deliveries'],
  ['ExpiringContracts', 'square-off of expiring contracts'],
];

/** The next boundary of each kind, the soonest first. Instants of random closes are the latest possible ones. */
export function nextBoundaries(
  parts: BoundaryParts,
  state: State,
  ports: Pick<DecisionPorts, 'days'>,
  now: EpochMs,
): readonly Boundary[] {
  const expiring = expiries(parts, now);
  const found = [...phaseChanges(parts, state, now), ...expiring, ...squareOffs(ports, expiring, now)];
  const end = tradingDayFrom(ports.days, istDay(now));
  found.push({ what: 'day end', at: istInstant((end + 1) as IstDay) });
  return found.sort((one, other) => one.at - other.at);
}

function phaseChanges({ market }: BoundaryParts, state: State, now: EpochMs): Boundary[] {
  return EXCHANGES.flatMap((exchange) => {
    const { next } = exchangeStatus(state, market, exchange, market.tickAt(now));
    return next === undefined || next.at <= now ? [] : [{ exchange, what: PHASE_NAMES[next.phase], at: next.at }];
  });
}

/** The next expiry of options on an underlying, by its name in derivatives; `undefined` where none is listed. */
export function nextExpiry(
  { instruments }: Pick<BoundaryParts, 'instruments'>,
  [exchange, name]: (typeof EXPIRING)[number],
  now: EpochMs,
): EpochMs | undefined {
  const underlying = instruments.underlyingOf(exchange, name, now);
  for (const day of underlying === undefined ? [] : instruments.expiries(underlying, now)) {
    const [option] = instruments.chain(underlying as InstrumentId, day, now);
    if (option !== undefined && option.expiresAt > now) return option.expiresAt;
  }
  return undefined;
}

function expiries(parts: BoundaryParts, now: EpochMs): Boundary[] {
  return EXPIRING.flatMap(([exchange, name]) => {
    const at = nextExpiry(parts, [exchange, name], now);
    return at === undefined ? [] : [{ exchange, what: `expiry of ${name}`, at }];
  });
}

/** `expiring`: the next expiries, on whose days the contracts are squared off too. */
function squareOffs({ days }: Pick<DecisionPorts, 'days'>, expiring: readonly Boundary[], now: EpochMs): Boundary[] {
  const nextOf = ([segment, what]: (typeof SQUARE_OFF_NAMES)[number], from: IstDay): Boundary => {
    const day = tradingDayFrom(days, from);
    const at = istInstant(day, days.squareOffTime(segment, day));
    if (at > now) return { what, at };
    const next = nextTradingDay(days, day);
    return { what, at: istInstant(next, days.squareOffTime(segment, next)) };
  };
  const today = istDay(now);
  const first = Math.min(...expiring.map(({ at }) => istDay(at))) as IstDay;
  const ofExpiry = expiring.length === 0 ? [] : EXPIRY_SQUARE_OFF_NAMES.map((named) => nextOf(named, first));
  return [...SQUARE_OFF_NAMES.map((named) => nextOf(named, today)), ...ofExpiry];
}
