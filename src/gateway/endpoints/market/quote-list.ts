import Type from 'typebox';
import type { GatewayDeps } from '../../deps.ts';
import { type Failure, inPart } from '../../fields/envelope.ts';
import { exchange, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import { findInstrument, type NamedInstrument } from '../../fields/symbols.ts';

/**
 * The request of the operations that quote several instruments. Source: interface §getMultiQuotes, contract W13, W14.
 */
export const QUOTE_LIST = Type.Object({
  ...SIGNED_IN,
  data: Type.Array(Type.Object({ exchange: exchange(), tradingSymbol: tradingSymbol() }), {
    maxItems: 100,
    'x-invalid': 'data must be an array of 1 to 100 objects with exchange and tradingSymbol',
  }),
});

type Wanted = Parameters<typeof findInstrument>;

/**
 * The instruments asked for, in order; the first that is unknown fails them all. `part`: the word that names its place
 * in the refusal, which names none when absent. Source: contract W13.
 */
export function findAll(
  deps: GatewayDeps,
  list: readonly { readonly exchange: Wanted[1]; readonly tradingSymbol: string }[],
  part?: string,
): readonly NamedInstrument[] | Failure {
  const at = deps.engine.now();
  const found: NamedInstrument[] = [];
  for (const wanted of list) {
    const named = findInstrument(deps.instruments, wanted.exchange, wanted.tradingSymbol, at);
    if ('status' in named) return inPart(named, part, found.length + 1);
    found.push(named);
  }
  return found;
}
