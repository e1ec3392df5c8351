/**
 * When and how far the band of a share with contracts slides during a day. It reads the prices of the market alone; the
 * steps and cooling-off times are in `sliding-band.ts`.
 */

import type { Price } from '../../../base/money.ts';
import { MINUTE_SECONDS } from '../../day-tape.ts';
import { coolingMinutes, FLEX_TRADES, flexStep, flexTriggers, slidBand } from './sliding-band.ts';

/**
 * The prices of a trading day as the flexes need them. Minutes and seconds count from IST midnight; prices are in
 * paise.
 */
export interface MinutePrices {
  readonly tick: Price;
  /** The first minute, and the one after the last. */
  readonly open: number;
  readonly close: number;
  /** No price of the minute is above this. */
  highest(minute: number): number;
  lowest(minute: number): number;
  /** How many trades of the minute were at `level` or beyond it. */
  tradesBeyond(minute: number, level: number, up: boolean): number;
}

/** A flex that has come, or that waits for the end of its cooling-off. */
interface Flex {
  /** The second from which on the band has slid. */
  readonly second: number;
  /** Basis points of the base, from the beginning of the day. */
  readonly slid: number;
}

/**
 * The flexes of a day's band: how far it has slid at each second. Fifty trades at or beyond 9.90 % make the band slide
 * after a cooling-off. When the market's own prices cross the edge before that, the band follows at once, since nothing
 * holds those prices back. The prints of the market stand for many clients and members on either side. Source:
 * market-rules R1.42.
 */
export class Flexes {
  private readonly prices: MinutePrices;
  private readonly base: Price;
  private readonly flexes: Flex[] = [];
  private pending: Flex | undefined;
  private readonly trades = { up: 0, down: 0 };
  /** The first minute that was not looked at. */
  private next: number;

  constructor(prices: MinutePrices, base: Price) {
    this.prices = prices;
    this.base = base;
    this.next = prices.open;
  }

  /**
   * Basis points of the base by which the band has slid at a second of the day. The order of questions does not matter.
   */
  slidAt(second: number): number {
    const minute = Math.min(Math.floor(second / MINUTE_SECONDS), this.prices.close - 1);
    for (; this.next <= minute; this.next += 1) this.look(this.next);
    for (let index = this.flexes.length - 1; index >= 0; index -= 1) {
      const flex = this.flexes[index];
      if (flex !== undefined && flex.second <= second) return flex.slid;
    }
    return 0;
  }

  private look(minute: number): void {
    if (this.pending !== undefined && this.pending.second <= minute * MINUTE_SECONDS) this.flex(this.pending);
    const high = this.prices.highest(minute);
    const low = this.prices.lowest(minute);
    this.follow(minute, high, low);
    if (this.pending !== undefined) return;
    const triggers = flexTriggers(this.base, this.slid);
    if (high >= triggers.up) this.count(minute, triggers.up, 'up');
    if (this.pending === undefined && low <= triggers.down) this.count(minute, triggers.down, 'down');
  }

  /** Slides the band at once as far as the market's own prices need it. */
  private follow(minute: number, high: number, low: number): void {
    const second = minute * MINUTE_SECONDS;
    const band = () => slidBand(this.base, this.slid, this.prices.tick);
    const rises = high > band().upper;
    while (rises ? high > band().upper : low < band().lower) {
      this.flex({ second, slid: this.slid + (rises ? 1 : -1) * this.step.slide });
    }
  }

  private count(minute: number, level: number, way: 'up' | 'down'): void {
    const up = way === 'up';
    this.trades[way] += this.prices.tradesBeyond(minute, level, up);
    if (this.trades[way] < FLEX_TRADES) return;
    const cooling = coolingMinutes(this.flexes.length + 1, this.prices.close - minute - 1);
    const second = (minute + 1 + cooling) * MINUTE_SECONDS;
    this.pending = { second, slid: this.slid + (up ? 1 : -1) * this.step.slide };
  }

  private flex(flex: Flex): void {
    this.flexes.push(flex);
    this.pending = undefined;
    this.trades.up = 0;
    this.trades.down = 0;
  }

  private get slid(): number {
    return this.flexes.at(-1)?.slid ?? 0;
  }

  private get step() {
    return flexStep(this.flexes.length + 1);
  }
}
