import { must } from '../../src/base/assert.ts';
import type { EpochMs } from '../../src/base/time.ts';
import type { Derivative, InstrumentDirectory } from '../../src/core/instrument.ts';
import { contractSymbol } from '../../src/reference/instruments/contracts/contract-symbol.ts';
import type { DerivativeExchange } from '../../src/reference/rules/contract-cycles.ts';

/**
 * The futures on an underlying that are listed at an instant, the nearest first. Each is found by its symbol: to list a
 * whole exchange would make the contracts of every share, which takes a second.
 */
export function futuresOn(
  instruments: InstrumentDirectory,
  exchange: DerivativeExchange,
  symbol: string,
  at: EpochMs,
): Derivative[] {
  const underlying = must(instruments.underlyingOf(exchange, symbol, at), `${symbol} has contracts`);
  return instruments.expiries(underlying, at).flatMap((expiryDay) => {
    const name = contractSymbol(exchange, { symbol, expiryDay, cycle: 'monthly', option: undefined });
    const future = instruments.find(exchange, name, at);
    return future?.kind === 'future' && future.expiryDay === expiryDay ? [future] : [];
  });
}
