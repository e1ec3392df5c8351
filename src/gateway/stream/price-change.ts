/** The change of an instrument's last price since the close of the day before, as the stream sends it beside quotes. */

import { formatRupees } from '../../base/decimal.ts';
import type { Paise } from '../../base/money.ts';
import type { FullQuote } from '../../views/quote.ts';

/** A percent has 100 hundredths, and a whole 100 percent. */
const HUNDREDTHS_OF_WHOLE = 10_000;

/**
 * The fields `change` (rupees) and `changePercent` (percent with two decimals, rounded half away from zero) of an
 * event, with a comma after them. The percent is blank for an instrument without a close of the day before.
 */
export function changeFields({ last, previousClose }: Pick<FullQuote, 'last' | 'previousClose'>): string {
  const change = (last - previousClose) as Paise;
  return `"change":"${formatRupees(change)}","changePercent":"${percentText(change, previousClose)}",`;
}

function percentText(change: Paise, base: number): string {
  if (base === 0) return '';
  const hundredths = Math.floor((2 * Math.abs(change) * HUNDREDTHS_OF_WHOLE + base) / (2 * base));
  // Hundredths of a percent are written as paise are: two decimals.
  return formatRupees((change < 0 && hundredths > 0 ? -hundredths : hundredths) as Paise);
}
