import type { Paise, Price } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Position } from '../../../core/account.ts';
import { inOnePiece } from '../../fields/writer.ts';

/** All that a shown position row is made of, and the row as it was written from it. */
interface KeptRow {
  /** The value of its open units, where that does not follow from the position. */
  readonly open: Paise | undefined;
  readonly last: Price;
  readonly day: IstDay;
  readonly position: Readonly<Position>;
  readonly text: string;
}

type WriteRow = (position: Position, open: Paise | undefined, last: Price) => string;

/**
 * Position rows as written JSON, kept while the position, its value and its last price are the same: a book of many
 * rows is read far more often than it changes.
 */
export class PositionTexts {
  private readonly kept = new WeakMap<Position, KeptRow>();

  /** The row as JSON; `write` is called when it is not known or has changed. */
  textOf(position: Position, open: Paise | undefined, last: Price, day: IstDay, write: WriteRow): string {
    const known = this.kept.get(position);
    const fits = known !== undefined && known.open === open && known.last === last && known.day === day;
    if (fits && same(known.position, position)) return known.text;
    const text = inOnePiece(write(position, open, last));
    this.kept.set(position, { open, last, day, position: { ...position }, text });
    return text;
  }
}

function same(a: Readonly<Position>, b: Readonly<Position>): boolean {
  return (
    a.dayBuyQuantity === b.dayBuyQuantity &&
    a.dayBuyAmount === b.dayBuyAmount &&
    a.daySellQuantity === b.daySellQuantity &&
    a.daySellAmount === b.daySellAmount &&
    a.carriedBuyQuantity === b.carriedBuyQuantity &&
    a.carriedBuyAmount === b.carriedBuyAmount &&
    a.carriedSellQuantity === b.carriedSellQuantity &&
    a.carriedSellAmount === b.carriedSellAmount &&
    a.carriedCost === b.carriedCost
  );
}
