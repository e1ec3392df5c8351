/**
 * The strikes of one underlying and expiry, ascending, each with the first day on which it trades. A ladder only
 * grows. The prices that call for a new strike come from its caller.
 */
import { lowerBound } from '../../../base/lower-bound.ts';
import { type Price, price } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';

export class StrikeLadder {
  private readonly values: number[] = [];
  private readonly firstDays: number[] = [];
  private lastCentre = 0;
  private lastStep = 0;

  get size(): number {
    return this.values.length;
  }

  strikeAt(index: number): Price {
    return this.values[index] as Price;
  }

  /** The first day on which the strike at an index trades. */
  listedOnAt(index: number): IstDay {
    return this.firstDays[index] as IstDay;
  }

  /** The index of a strike; -1 when it is not listed. */
  indexOf(strike: Price): number {
    const index = this.placeOf(strike);
    return this.values[index] === strike ? index : -1;
  }

  /**
   * Lists what a review on `day` asks for: `count` steps on each side of the strike nearest to `reference`, halves up.
   * Reviews come in the order of days. Source: market-rules R1.39.
   */
  review(day: IstDay, reference: Price, step: Price, count: number, highest: number): void {
    const centre = Math.floor(reference / step + 0.5) * step;
    if (centre === this.lastCentre && step === this.lastStep) return;
    this.lastCentre = centre;
    this.lastStep = step;
    for (let k = -count; k <= count; k += 1) {
      const strike = centre + k * step;
      if (strike > 0 && strike <= highest) this.list(price(strike), day);
    }
  }

  /** Lists one strike from a day on, when it is not listed. */
  list(strike: Price, day: IstDay): void {
    const index = this.placeOf(strike);
    if (this.values[index] === strike) return;
    this.values.splice(index, 0, strike);
    this.firstDays.splice(index, 0, day);
  }

  private placeOf(strike: Price): number {
    return lowerBound(0, this.values.length, (place) => (this.values[place] as number) < strike);
  }
}
