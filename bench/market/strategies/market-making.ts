import { must } from '../../../src/base/assert.ts';
import type { Tick } from '../../../src/base/ids.ts';
import { tickOf } from '../../../src/base/tick.ts';
import type { IstDay } from '../../../src/base/time.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Depth, Print } from '../../../src/core/market.ts';
import type { Side } from '../../../src/core/order.ts';
import { expiriesOn, futuresOn, nearestPair, pairsOf } from '../chains.ts';
import { total } from '../samples.ts';
import { idOf, listed, type Subject } from '../subject.ts';
import { bothCharges, type Played } from './trading.ts';

/** Its way of quoting: at the touch behind the orders there, or a tick inside where there is room. */
type Manner = 'join' | 'inside';
const MANNERS: readonly Manner[] = ['join', 'inside'];

const SHARES = ['RELIANCE', 'HDFCBANK', 'TCS', 'IDEA', 'KEI', 'CUB', 'MRF', '20MICRONS', '21STCENMGM'] as const;
const [FROM, TO] = [33_900, 53_400] as const;
const OPTION_DISTANCES = [
  { name: 'in the money', share: -0.04 },
  { name: 'at the money', share: 0 },
  { name: 'out of the money', share: 0.02 },
] as const;
const STAKE_PAISE = 10_000_000;

/** A resting order: its price, its open quantity, and the market's units in front of it. */
interface Resting {
  readonly side: Side;
  readonly price: number;
  left: number;
  ahead: number;
}

/**
 * Strategy C: both sides of a book are quoted by the rules of docs/matching.md; each return to a flat position is one
 * trade.
 */
export function marketMaking(subject: Subject, days: readonly IstDay[]): Played {
  const trades: Record<string, number[]> = {};
  const rupeesADay: Record<string, number> = {};
  let [fills, adverse] = [0, 0];
  for (const on of days) {
    for (const [name, instrument] of quoted(subject, on)) {
      const makers = MANNERS.map((manner) => new Maker(subject, instrument, manner));
      for (let second = FROM; second < TO; second += 1) {
        const tick = tickOf(on, second);
        const depth = subject.market.depth(instrument.id, tick);
        const print = subject.market.print(instrument.id, tick);
        for (const maker of makers) maker.second(depth, print, tick);
      }
      for (const maker of makers) {
        maker.leave(tickOf(on, TO));
        const key = `C ${name} ${maker.manner}`;
        trades[key] = [...(trades[key] ?? []), ...maker.nets];
        rupeesADay[key] = (rupeesADay[key] ?? 0) + maker.rupees / days.length;
        if (name === 'RELIANCE' && maker.manner === 'join') {
          fills += maker.fills;
          adverse += maker.adverse;
        }
      }
    }
  }
  const note = `C: of ${fills} fills of RELIANCE by joining, ${((100 * adverse) / fills).toFixed(0)} % came by the touch going through`;
  return { trades, rupeesADay, notes: [note] };
}

function quoted(subject: Subject, on: IstDay): [name: string, instrument: Instrument][] {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const spot = subject.market.lastPrint(nifty, tickOf(on, FROM)).price;
  const pairs = pairsOf(subject, nifty, must(expiriesOn(subject, nifty, on)[1], 'an expiry'), on);
  const future = (name: string, symbol: string) =>
    must(futuresOn(subject, name, idOf(subject, 'NSE', symbol), on)[0], name)[1];
  return [
    ...SHARES.map((name): [string, Instrument] => [name, listed(subject, 'NSE', `${name}-EQ`, on)]),
    ['NIFTY future', future('NIFTY', 'NIFTY')],
    ['RELIANCE future', future('RELIANCE', 'RELIANCE-EQ')],
    ...OPTION_DISTANCES.map(({ name, share }): [string, Instrument] => [
      `NIFTY call ${name}`,
      nearestPair(pairs, spot * (1 + share)).call,
    ]),
  ];
}

class Maker {
  readonly manner: Manner;
  /** The net of each return to a flat position, in rupees a unit. */
  readonly nets: number[] = [];
  rupees = 0;
  fills = 0;
  /** Fills because the other side's touch came to the price. */
  adverse = 0;
  private readonly subject: Subject;
  private readonly instrument: Instrument;
  private resting: Resting[] = [];
  private held = 0;
  private bought: { price: number; units: number }[] = [];
  private sold: { price: number; units: number }[] = [];

  constructor(subject: Subject, instrument: Instrument, manner: Manner) {
    this.subject = subject;
    this.instrument = instrument;
    this.manner = manner;
  }

  /** The market moves to a tick, then the quotes are set again. */
  second(depth: Depth, print: Print | undefined, tick: Tick): void {
    for (const order of this.resting) {
      this.meetTouch(order, depth);
      if (order.left > 0 && print) this.meetPrint(order, print);
    }
    if (this.held === 0 && this.bought.length > 0) this.book(tick);
    this.quote(depth, tick);
  }

  /** Units that are still held are given up across the touch. */
  leave(tick: Tick): void {
    const { bids, asks } = this.subject.market.depth(this.instrument.id, tick);
    const level = this.held > 0 ? bids[0] : asks[0];
    if (this.held === 0 || !level) return;
    this.fill(
      { side: this.held > 0 ? 'S' : 'B', price: level.price, left: Math.abs(this.held), ahead: 0 },
      Math.abs(this.held),
    );
    this.book(tick);
  }

  private meetTouch(order: Resting, { bids, asks }: Depth): void {
    const [buys, opposite] = [order.side === 'B', order.side === 'B' ? asks : bids];
    let units = 0;
    for (const { price, quantity } of opposite)
      if (buys ? price <= order.price : price >= order.price) units += quantity;
    if (units === 0 || order.left === 0) return;
    this.adverse += 1;
    this.fill(order, Math.min(units, order.left));
  }

  private meetPrint(order: Resting, { price, quantity, aggressor }: Print): void {
    if (aggressor === order.side) return;
    const through = order.side === 'B' ? price < order.price : price > order.price;
    if (!through && price !== order.price) return;
    const passes = through ? quantity : Math.max(0, quantity - order.ahead);
    if (!through) order.ahead = Math.max(0, order.ahead - quantity);
    if (passes > 0) this.fill(order, Math.min(passes, order.left));
  }

  private fill(order: Resting, units: number): void {
    order.left -= units;
    this.held += order.side === 'B' ? units : -units;
    (order.side === 'B' ? this.bought : this.sold).push({ price: order.price, units });
    this.fills += 1;
  }

  private book(tick: Tick): void {
    const [bought, sold] = [meanPrice(this.bought), meanPrice(this.sold)];
    const net = (sold - bought) / 100 - bothCharges(this.subject, this.instrument, tick, [bought, sold]);
    this.nets.push(net);
    this.rupees += net * total(this.bought.map(({ units }) => units));
    this.bought = [];
    this.sold = [];
  }

  private quote({ bids, asks }: Depth, tick: Tick): void {
    const [bid, ask] = [bids[0], asks[0]];
    if (!bid || !ask) {
      this.resting = [];
      return;
    }
    const step =
      this.manner === 'inside' && ask.price - bid.price > 2 * this.instrument.tick ? this.instrument.tick : 0;
    const wanted: Resting[] = [];
    const size = this.units(bid.price);
    if (this.held <= 0) wanted.push(this.order('B', bid.price + step, this.held === 0 ? size : -this.held, tick));
    if (this.held >= 0) wanted.push(this.order('S', ask.price - step, this.held === 0 ? size : this.held, tick));
    this.resting = wanted;
  }

  /**
   * The order that rests at the price already, with its place in the queue, or a new one behind the displayed quantity.
   */
  private order(side: Side, price: number, units: number, tick: Tick): Resting {
    const known = this.resting.find((order) => order.side === side && order.price === price);
    if (known && known.left > 0 && known.left <= units) return known;
    const ahead = this.subject.market.quantityAt(this.instrument.id, tick, side, price as Print['price']);
    return { side, price, left: units, ahead };
  }

  private units(pricePaise: number): number {
    const { kind, lot } = this.instrument;
    return kind === 'equity' ? Math.max(1, Math.round(STAKE_PAISE / pricePaise)) : lot;
  }
}

function meanPrice(fills: readonly { price: number; units: number }[]): number {
  return total(fills.map(({ price, units }) => price * units)) / total(fills.map(({ units }) => units));
}
