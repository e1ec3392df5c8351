/** The change of a price since the day before, in whole paise: the difference of two figures that the service sent. */
import { fromPaise, toPaise } from '../../../client/src/money.ts';

export interface Change {
  /** Decimal text of rupees. */
  readonly by: string;
  /** Percent with two decimals; blank where there was no price before. */
  readonly percent: string;
}

/** Both prices are decimal text of rupees. */
export function changeOf(price: string, before: string): Change {
  const [now, base] = [toPaise(price), toPaise(before)];
  const by = fromPaise(now - base);
  if (base === 0) return { by, percent: '' };
  const hundredths = Math.round((Math.abs(now - base) * 10_000) / base);
  return { by, percent: fromPaise(now < base ? -hundredths : hundredths) };
}
