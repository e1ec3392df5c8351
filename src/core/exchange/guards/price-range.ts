import type { Price } from '../../../base/money.ts';
import type { InstrumentKind } from '../../instrument.ts';
import type { PriceBand } from '../../market.ts';

/** A width that is an amount of paise up to a reference price, and a share of the reference in percent above it. */
interface Width {
  readonly upTo: number;
  readonly paise: number;
  readonly percent: number;
}

/** Source: market-rules R1.46. */
const OPTION_PROTECTION: Width = { upTo: 50_00, paise: 20_00, percent: 40 };
const FUTURE_PROTECTION: Width = { upTo: 50_00, paise: 1_50, percent: 3 };
/** Source: market-rules R1.47. */
const OPTION_EXECUTION: Width = { upTo: 50_00, paise: 20_00, percent: 40 };
const FUTURE_EXECUTION: Width = { upTo: 0, paise: 0, percent: 5 };
/** Source: market-rules R1.48. */
const OPTION_GAP: Width = { upTo: 50_00, paise: 10_00, percent: 20 };
const OTHER_GAP: Width = { upTo: 50_00, paise: 1_50, percent: 3 };

/**
 * What a limit order of a contract may cost, in whole paise: a buy at most `upper`, a sell at least `lower`. `reference` in whole paise.
 * Source: market-rules R1.46.
 */
export function protectionRange(kind: 'future' | 'option', reference: Price): PriceBand {
  return around(reference, kind === 'option' ? OPTION_PROTECTION : FUTURE_PROTECTION);
}

/** The prices at which a contract may trade, in whole paise. Source: market-rules R1.47. */
export function executionRange(kind: 'future' | 'option', reference: Price): PriceBand {
  return around(reference, kind === 'option' ? OPTION_EXECUTION : FUTURE_EXECUTION);
}

/** The widest gap that a stop's limit may have from its trigger, in paise. Source: market-rules R1.48. */
export function stopGap(kind: InstrumentKind, trigger: Price): number {
  return widthAt(kind === 'option' ? OPTION_GAP : OTHER_GAP, trigger);
}

function around(reference: Price, width: Width): PriceBand {
  const half = widthAt(width, reference);
  return { lower: Math.max(0, Math.ceil(reference - half)) as Price, upper: Math.floor(reference + half) as Price };
}

function widthAt({ upTo, paise, percent }: Width, reference: Price): number {
  return reference <= upTo ? paise : (reference * percent) / 100;
}
