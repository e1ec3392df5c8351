/**
 * The ratios of the prices and volumes of one share, on each day, to those that it had without corporate actions. The
 * ratios say nothing of holdings and positions: the core adjusts those. Source: market-rules R7.6, R7.7.
 */
import type { Price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { CorporateAction } from '../../core/broker/corporate-actions/corporate-action.ts';

/**
 * An action of a share with the first day on which prices are adjusted: that after the last trading day before the
 * ex-date.
 */
export interface EffectiveAction {
  readonly action: CorporateAction;
  readonly from: IstDay;
}

interface Ratios {
  readonly price: number;
  readonly units: number;
}

const UNADJUSTED: Ratios = { price: 1, units: 1 };

export class ShareRatios {
  private readonly actions: readonly EffectiveAction[];
  private readonly closeBefore: (day: IstDay) => Price;
  /** The products up to and with each action; made when a day that it counts for is first asked for. */
  private readonly products: Ratios[] = [];

  /** `actions` by ascending day; `closeBefore` is the share's last price before a day, as it was traded, above 0. */
  constructor(actions: readonly EffectiveAction[], closeBefore: (day: IstDay) => Price) {
    this.actions = actions;
    this.closeBefore = closeBefore;
  }

  /** The factor of a price of the path on a day. */
  priceOn(day: IstDay): number {
    return this.on(day).price;
  }

  /** The factor of the units of a day's volume. */
  unitsOn(day: IstDay): number {
    return this.on(day).units;
  }

  /** Brings a price of one day to the terms of another. */
  carried(price: number, from: IstDay, to: IstDay): number {
    const before = this.on(from);
    const after = this.on(to);
    return before === after ? price : (price * after.price) / before.price;
  }

  private on(day: IstDay): Ratios {
    let last = this.actions.length - 1;
    while (last >= 0 && (this.actions[last] as EffectiveAction).from > day) last -= 1;
    return this.product(last);
  }

  private product(last: number): Ratios {
    if (last < 0) return UNADJUSTED;
    const known = this.products[last];
    if (known !== undefined) return known;
    const before = this.product(last - 1);
    const { action, from } = this.actions[last] as EffectiveAction;
    const made = {
      price: before.price * this.ratioOf(action, from),
      units: (before.units * action.after) / action.before,
    };
    this.products[last] = made;
    return made;
  }

  /** A dividend takes its amount off the close before it, and never all of it. */
  private ratioOf({ dividend, before, after }: CorporateAction, from: IstDay): number {
    if (dividend === 0) return before / after;
    const close = this.closeBefore(from);
    return Math.max(close - dividend, 1) / close;
  }
}
