import type { Price } from '../../../base/money.ts';
import type { InstrumentKind } from '../../instrument.ts';
import type { PriceBand } from '../../market.ts';
import type { GuardWidths, Width } from './guard-widths.ts';

/**
 * The prices that a limit order of a contract may have, in whole paise: a buy at most `upper`, a sell at least `lower`.
 * `reference` is in whole paise. Source: market-rules R1.46.
 */
export function protectionRange(widths: GuardWidths, kind: 'future' | 'option', reference: Price): PriceBand {
  return around(reference, widths.protection[kind]);
}

/** The prices at which a contract may trade, in whole paise. Source: market-rules R1.47. */
export function executionRange(widths: GuardWidths, kind: 'future' | 'option', reference: Price): PriceBand {
  return around(reference, widths.execution[kind]);
}

/** The widest gap that a stop's limit may have from its trigger, in paise. Source: market-rules R1.48. */
export function stopGap({ gap }: GuardWidths, kind: InstrumentKind, trigger: Price): number {
  return widthAt(kind === 'option' ? gap.option : gap.other, trigger);
}

function around(reference: Price, width: Width): PriceBand {
  const half = widthAt(width, reference);
  return { lower: Math.max(0, Math.ceil(reference - half)) as Price, upper: Math.floor(reference + half) as Price };
}

function widthAt({ upTo, paise, percent }: Width, reference: Price): number {
  return reference <= upTo ? paise : (reference * percent) / 100;
}
