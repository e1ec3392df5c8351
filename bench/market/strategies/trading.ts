import type { Tick } from '../../../src/base/ids.ts';
import { paise } from '../../../src/base/money.ts';
import { dayOf } from '../../../src/base/tick.ts';
import { type TradeClass, tradeClassOf } from '../../../src/core/charges/charge-rates.ts';
import { shownRupees, sumOf } from '../../../src/core/charges/exact-amount.ts';
import { orderCharges } from '../../../src/core/charges/order-charges.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Side } from '../../../src/core/order.ts';
import type { Subject } from '../subject.ts';

/**
 * The results of a strategy under its names: the net of each trade in rupees a unit, after all charges, and its other
 * observations.
 */
export interface Played {
  readonly trades: Readonly<Record<string, readonly number[]>>;
  /** The earnings of market making in a day, rupees, where they are bounded by what trades. */
  readonly rupeesADay?: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

/** Shares are traded for about this number of rupees. */
const SHARE_STAKE = 1_000_000;

/** The units of one order: the freeze quantity of a contract in whole lots, of a share about ten lakh rupees. */
export function orderUnits(instrument: Instrument, pricePaise: number): number {
  if (instrument.kind === 'equity') return Math.max(1, Math.round((SHARE_STAKE * 100) / pricePaise));
  return Math.max(1, Math.floor(instrument.freeze / instrument.lot)) * instrument.lot;
}

/** The charges of one executed order in rupees a unit. */
export function chargesOf(
  { facts }: Subject,
  instrument: Instrument,
  tick: Tick,
  order: { readonly side: Side; readonly price: number; readonly units: number },
): number {
  const tradeClass: TradeClass = instrument.kind === 'index' ? 'option' : tradeClassOf(instrument.kind, 'I');
  const { side, price, units } = order;
  const amount = paise(Math.round(price * units));
  const items = orderCharges(facts.rules.charges.on(dayOf(tick)), {
    exchange: instrument.exchange,
    tradeClass,
    side,
    amount,
  });
  return shownRupees(sumOf(...Object.values(items))) / units;
}

/** The touch in paise; `undefined` while a side is empty. */
export function touch(
  { market }: Subject,
  instrument: Instrument,
  tick: Tick,
): { bid: number; ask: number } | undefined {
  const { bids, asks } = market.depth(instrument.id, tick);
  return bids[0] && asks[0] ? { bid: bids[0].price, ask: asks[0].price } : undefined;
}

/**
 * The net in rupees a unit of an order that crosses the touch at one tick and is undone across the touch at another,
 * after all charges; `undefined` when a side is empty at either.
 */
export function crossing(
  subject: Subject,
  instrument: Instrument,
  first: Side,
  [enter, leave]: readonly [Tick, Tick],
): number | undefined {
  const [before, after] = [touch(subject, instrument, enter), touch(subject, instrument, leave)];
  if (!before || !after) return undefined;
  const bought = first === 'B' ? before.ask : after.ask;
  const sold = first === 'B' ? after.bid : before.bid;
  return (sold - bought) / 100 - bothCharges(subject, instrument, enter, [bought, sold]);
}

/** The charges of a purchase and a sale in rupees a unit. */
export function bothCharges(
  subject: Subject,
  instrument: Instrument,
  tick: Tick,
  [bought, sold]: readonly [number, number],
): number {
  const units = orderUnits(instrument, bought);
  return (
    chargesOf(subject, instrument, tick, { side: 'B', price: bought, units }) +
    chargesOf(subject, instrument, tick, { side: 'S', price: sold, units })
  );
}
