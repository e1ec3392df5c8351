/**
 * The status of the four exchanges, as `getMarketStatus` answers it and as the streams send it at each change of a
 * phase.
 */

import Type, { type Static } from 'typebox';
import { EXCHANGES } from '../../../base/ids.ts';
import { speedOf } from '../../../core/clock/set-clock.ts';
import { PHASES } from '../../../core/exchange/phase.ts';
import type { State } from '../../../core/state.ts';
import { type ExchangeStatus, exchangeStatus } from '../../../views/exchange-status.ts';
import type { GatewayDeps } from '../../deps.ts';
import { exchangeWord, listOf, plain, t1, t1OrBlank } from '../../fields/answers.ts';
import { formatT1 } from '../../fields/times.ts';

const PHASE_WORDS = PHASES.join('|');

export const MARKET_STATUS = Type.Object({
  marketTime: t1,
  speed: plain('^(max|[0-9]+(\\.[0-9]+)?)$', 'seconds of the market in a second of the wall'),
  exchanges: listOf(
    Type.Object({
      exchange: exchangeWord,
      phase: plain(`^(${PHASE_WORDS}|Halted)$`, 'of shares with contracts in cash, of options in derivatives'),
      isOpen: plain('^(true|false)$', 'true in continuous trading'),
      nextPhase: plain(`^(${PHASE_WORDS})?$`, 'blank where none is known'),
      nextAt: t1OrBlank,
    }),
  ),
  requestTime: t1,
});

/** The status of every exchange at the present instant of the market. Source: market-rules 2.1. */
export function marketStatusOf(
  { engine, market }: Pick<GatewayDeps, 'engine' | 'market'>,
  state: State,
): Static<typeof MARKET_STATUS> {
  const now = engine.now();
  const tick = market.tickAt(now);
  const time = formatT1(now);
  const exchanges = EXCHANGES.map((exchange) => rowOf(exchangeStatus(state, market, exchange, tick)));
  return { marketTime: time, speed: String(speedOf(state)), exchanges, requestTime: time };
}

function rowOf({ exchange, phase, next }: ExchangeStatus) {
  return {
    exchange,
    phase,
    isOpen: String(phase === 'Continuous'),
    nextPhase: next?.phase ?? '',
    nextAt: next === undefined ? '' : formatT1(next.at),
  };
}
