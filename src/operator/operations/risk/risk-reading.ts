import type { InstrumentId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { Config } from '../../../config.ts';
import type { Account, Position } from '../../../core/account.ts';
import { LastPrices } from '../../../core/broker/settlement/open-loss.ts';
import type { PositionFigures } from '../../../core/query.ts';
import type { SliceView } from '../in-slices.ts';
import { RiskTally } from './account-risk.ts';

/** Receives each position that was traded or carried today, with its figures at the last price. */
type OnPosition = (row: Position, figures: PositionFigures, last: Price) => void;

/**
 * Reads the positions of one account after the other, and can pause after each position. A price is asked for once in
 * the life of a reading.
 */
export class RiskReading {
  private readonly avgModel: Config['avgModel'];
  private readonly onPosition: OnPosition | undefined;
  private readonly prices = new Map<InstrumentId, Price>();
  private tally = new RiskTally();
  /** How many rows of the present account are read. */
  private read = 0;

  constructor(avgModel: Config['avgModel'], onPosition?: OnPosition) {
    this.avgModel = avgModel;
    this.onPosition = onPosition;
  }

  /** The positions of an account, added up; `undefined` when the slice is over first: the next call goes on with it. */
  goOn(account: Account, view: SliceView): RiskTally | undefined {
    if (account.positions.size > 0) {
      const prices = new LastPrices(view.state, view.ports);
      for (const row of Array.from(account.positions.values()).slice(this.read)) {
        this.add(account, row, this.priceOf(row.instrument, prices), view);
        this.read += 1;
        if (view.isOver()) return undefined;
      }
    }
    const { tally } = this;
    this.tally = new RiskTally();
    this.read = 0;
    return tally;
  }

  private add(account: Account, row: Position, last: Price, { views }: SliceView): void {
    const open = this.avgModel === 'running' ? views.lots.openAmountOf(account.id, row) : undefined;
    const figures = this.tally.add(row, last, open);
    if (figures !== undefined) this.onPosition?.(row, figures, last);
  }

  private priceOf(id: InstrumentId, prices: LastPrices): Price {
    const known = this.prices.get(id);
    if (known !== undefined) return known;
    const price = prices.of(id);
    this.prices.set(id, price);
    return price;
  }
}
