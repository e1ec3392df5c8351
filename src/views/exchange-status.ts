/**
 * The status of an exchange as a client sees it: its session, and the halts that the state knows. A suspension of one
 * instrument is not part of it.
 */
import type { Exchange, Tick } from '../base/ids.ts';
import { instantOf } from '../base/tick.ts';
import { isHalted } from '../core/exchange/guards/market-breaker.ts';
import type { Phase } from '../core/exchange/phase.ts';
import type { ExchangeSession, MarketData } from '../core/market.ts';
import { reopeningAuction } from '../core/phase-of.ts';
import type { State } from '../core/state.ts';
import { switchKey } from '../core/switches/switch.ts';

/** `Halted`: an operator or the market-wide breaker stops all trading. */
export interface ExchangeStatus {
  readonly exchange: Exchange;
  readonly phase: Phase | 'Halted';
  /** Absent where trading never ends, and while an operator halts the exchange. */
  readonly next?: ExchangeSession['next'];
}

/** The status of an exchange at a tick. Source: market-rules 2.1, R1.49. */
export function exchangeStatus(
  state: Pick<State, 'switches' | 'breaker'>,
  market: Pick<MarketData, 'session'>,
  exchange: Exchange,
  tick: Tick,
): ExchangeStatus {
  if (state.switches.has(switchKey({ kind: 'Halt', exchange }))) return { exchange, phase: 'Halted' };
  const session = market.session(exchange, tick);
  if (session.phase !== 'Continuous' || !isHalted(state, tick)) return { exchange, ...session };
  const phase = reopeningAuction(state, tick, (opening) => market.session(exchange, opening).phase) ?? 'Halted';
  const begins = instantOf(state.breaker.until);
  if (session.next !== undefined && session.next.at <= begins) return { exchange, phase, next: session.next };
  return { exchange, phase, next: { phase: 'Continuous', at: begins } };
}
