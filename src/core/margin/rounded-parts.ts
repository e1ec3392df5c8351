import { addPaise, type Paise, subtractPaise } from '../../base/money.ts';
import { PER_PAISA, toPaise } from './fixed-point.ts';
import type { WorldMargin } from './world-margin.ts';

/** The parts of SPAN in paise. */
export interface SpanParts {
  readonly scan: Paise;
  readonly calendar: Paise;
  readonly shortMinimum: Paise;
  readonly optionValue: Paise;
}

/** Four amounts that are rounded one by one differ from their rounded sum by no more than this. In paise. */
const MOST_ROUNDING = 2;

/**
 * The parts of SPAN in paise, so that `span` is the larger of scan with calendar charge and short option minimum, less
 * the option value: what rounding leaves is in the larger one. It is not so where contracts that expire on the day are
 * measured apart, as the parts are then sums of two such figures. Source: market-rules R4.9, R4.38.
 */
export function roundedParts(margin: WorldMargin, span: Paise): SpanParts {
  const [scan, calendar, shortMinimum, optionValue] = [
    margin.scan,
    margin.calendar,
    margin.shortMinimum,
    margin.optionValue,
  ].map((amount) => toPaise(amount, PER_PAISA)) as [Paise, Paise, Paise, Paise];
  const charged = addPaise(scan, calendar);
  const larger = Math.max(charged, shortMinimum) as Paise;
  const rest = subtractPaise(span, subtractPaise(larger, optionValue));
  const rounding = (span > 0 && Math.abs(rest) <= MOST_ROUNDING ? rest : 0) as Paise;
  if (charged >= shortMinimum) return { scan: addPaise(scan, rounding), calendar, shortMinimum, optionValue };
  return { scan, calendar, shortMinimum: addPaise(shortMinimum, rounding), optionValue };
}
