/**
 * The contract note of an account's day: the charges of its orders, exercises and deliveries by segment, rounded. The
 * exact charges before rounding are in `order-charges.ts`.
 */

import { EXCHANGES, type Exchange } from '../../base/ids.ts';
import { addPaise, type Paise, type Quantity, scaleHalfUp, ZERO_PAISE } from '../../base/money.ts';
import type { Side } from '../order.ts';
import type { ChargeRates } from './charge-rates.ts';
import { exactly, NOTHING, percentOf, roundToPaisa, roundToRupee, shareOf, sumOf } from './exact-amount.ts';
import { type ChargedTrade, chargesOf, NO_CHARGES, type OrderCharges } from './order-charges.ts';

/** An order that traded, as the day's end knows it. */
export interface ExecutedOrder extends ChargedTrade {
  /** The units that it filled. */
  readonly quantity: Quantity;
  /** Names the scrip of an equity; empty for contracts. */
  readonly isin: string;
  /** Of a trade-for-trade share: no purchase of the day makes up for a sale. */
  readonly gross: boolean;
  /** The broker placed it at the cut-off. */
  readonly squaredOff: boolean;
}

/** A long option that expired in the money and was settled in cash. */
export interface ExercisedOption {
  readonly exchange: Exchange;
  /** How far in the money, times the quantity. */
  readonly intrinsic: Paise;
}

/** Shares that an expired derivative moves: `S` delivers them, `B` receives them. */
export interface PhysicalDelivery {
  readonly exchange: Exchange;
  readonly isin: string;
  readonly side: Side;
  /** Closing price times quantity, whatever the strike. */
  readonly value: Paise;
}

/** The chargeable facts of one account on one day. */
export interface ChargeableDay {
  readonly orders: readonly ExecutedOrder[];
  readonly exercises?: readonly ExercisedOption[];
  readonly deliveries?: readonly PhysicalDelivery[];
}

/** The charges of one segment of a day, in paise as they are debited. */
export interface NoteSection {
  readonly segment: Exchange;
  readonly brokerage: Paise;
  /** Fees for orders of the square-off. */
  readonly squareOff: Paise;
  readonly transaction: Paise;
  readonly investorProtection: Paise;
  readonly sebi: Paise;
  readonly clearing: Paise;
  readonly gst: Paise;
  readonly stt: Paise;
  readonly stamp: Paise;
}

/** The charges of an account's day. */
export interface ContractNote {
  /** One for each segment with something to charge, in the order of the exchanges. */
  readonly sections: readonly NoteSection[];
  /** For the scrips that left the demat account. */
  readonly depository: Paise;
  readonly depositoryGst: Paise;
}

/** A contract note by whom the money goes to. */
export interface NoteTotals {
  /** The broker's own: brokerage and square-off fees. */
  readonly brokerage: Paise;
  /** The levies: charges that the broker passes on to exchanges, clearing and the state. */
  readonly levies: Paise;
  readonly depository: Paise;
  readonly total: Paise;
}

/** The executed orders of one segment, added up before any rounding. */
export interface SegmentSum {
  readonly charges: OrderCharges;
  /** Orders of the square-off. */
  readonly squaredOff: number;
}

/** The chargeable facts of a day, added up. */
export interface ChargeableSums {
  /** Only segments with executed orders. */
  readonly segments: ReadonlyMap<Exchange, SegmentSum>;
  /** Units of each scrip that were sold for delivery, less those bought. */
  readonly sold: ReadonlyMap<string, number>;
  readonly exercises: readonly ExercisedOption[];
  readonly deliveries: readonly PhysicalDelivery[];
}

/**
 * The contract note of an account's day. Charges are added up exactly by segment and rounded once: STT and stamp duty
 * to the rupee, the other items to the paisa. Source: market-rules R6.2.
 */
export function contractNote(
  rates: ChargeRates,
  { orders, exercises = [], deliveries = [] }: ChargeableDay,
): ContractNote {
  const segments = new Map<Exchange, SegmentSum>();
  for (const [segment, own] of Map.groupBy(orders, ({ exchange }) => exchange)) {
    const squaredOff = own.filter((order) => order.squaredOff).length;
    segments.set(segment, { charges: chargesOf(rates, own), squaredOff });
  }
  const sold = new Map<string, number>();
  for (const order of orders) addSold(sold, order, 1);
  return noteOfSums(rates, { segments, sold, exercises, deliveries });
}

/** As `contractNote`, of facts that are added up already. */
export function noteOfSums(rates: ChargeRates, sums: ChargeableSums): ContractNote {
  const depository = (rates.depository * demat(sums)) as Paise;
  return {
    sections: EXCHANGES.flatMap((segment) => section(rates, segment, sums) ?? []),
    depository,
    depositoryGst: scaleHalfUp(depository, rates.gstPercent, 100),
  };
}

/**
 * Adds the units of an order to those that leave the demat account; `times` -1 takes them away. No purchase makes up
 * for the sale of a trade-for-trade share. Source: market-rules R1.4, 6.1 "DP".
 */
export function addSold(sold: Map<string, number>, order: ExecutedOrder, times: 1 | -1): void {
  const { tradeClass, isin, gross, side, quantity } = order;
  if (tradeClass !== 'delivery' || (gross && side === 'B')) return;
  sold.set(isin, (sold.get(isin) ?? 0) + times * (side === 'S' ? quantity : -quantity));
}

/** The brokerage, the levies and the depository charges of a note, and the sum of all three, in paise. */
export function noteTotals(note: ContractNote): NoteTotals {
  let brokerage = ZERO_PAISE;
  let levies = note.depositoryGst;
  for (const one of note.sections) {
    brokerage = addPaise(brokerage, addPaise(one.brokerage, one.squareOff));
    for (const levy of [one.transaction, one.investorProtection, one.sebi, one.clearing, one.gst, one.stt, one.stamp])
      levies = addPaise(levies, levy);
  }
  return {
    brokerage,
    levies,
    depository: note.depository,
    total: addPaise(addPaise(brokerage, levies), note.depository),
  };
}

const NO_ORDERS: SegmentSum = { charges: NO_CHARGES, squaredOff: 0 };

function section(rates: ChargeRates, segment: Exchange, sums: ChargeableSums): NoteSection | undefined {
  const exercises = sums.exercises.filter(({ exchange }) => exchange === segment);
  const deliveries = sums.deliveries.filter(({ exchange }) => exchange === segment);
  const sum = sums.segments.get(segment);
  if (sum === undefined && exercises.length + deliveries.length === 0) return undefined;
  const { charges, squaredOff } = sum ?? NO_ORDERS;
  const squareOff = squaredOff === 0 ? NOTHING : exactly((rates.squareOff * squaredOff) as Paise);
  return {
    segment,
    brokerage: roundToPaisa(charges.brokerage),
    squareOff: roundToPaisa(squareOff),
    transaction: roundToPaisa(charges.transaction),
    investorProtection: roundToPaisa(charges.investorProtection),
    sebi: roundToPaisa(charges.sebi),
    clearing: roundToPaisa(charges.clearing),
    gst: roundToPaisa(sumOf(charges.gst, percentOf(squareOff, rates.gstPercent))),
    stt: roundToRupee(
      sumOf(
        charges.stt,
        ...exercises.map(({ intrinsic }) => shareOf(intrinsic, rates.exerciseStt)),
        ...deliveries.map(({ value }) => shareOf(value, rates.physicalStt)),
      ),
    ),
    stamp: roundToRupee(
      sumOf(
        charges.stamp,
        ...deliveries.map(({ side, value }) => (side === 'B' ? shareOf(value, rates.physicalStamp) : NOTHING)),
      ),
    ),
  };
}

/**
 * How many scrips leave the demat account: those of which more was sold for delivery than bought, on both exchanges
 * together, trade-for-trade shares that were sold at all, and those that a derivative delivers. Source: market-rules
 * R1.4, 6.1 "DP".
 */
function demat({ sold, deliveries }: ChargeableSums): number {
  const leaving = new Set([...sold].flatMap(([isin, units]) => (units > 0 ? [isin] : [])));
  for (const { isin, side } of deliveries) if (side === 'S') leaving.add(isin);
  return leaving.size;
}
