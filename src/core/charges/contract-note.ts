/**
 * The contract note of an account's day: the charges of its orders, exercises and deliveries by segment, rounded. The
 * exact charges before rounding are in `order-charges.ts`.
 */

import { EXCHANGES, type Exchange } from '../../base/ids.ts';
import { addPaise, type Paise, type Quantity, scaleHalfUp, ZERO_PAISE } from '../../base/money.ts';
import type { Side } from '../order.ts';
import type { ChargeRates } from './charge-rates.ts';
import { exactly, NOTHING, percentOf, roundToPaisa, roundToRupee, shareOf, sumOf } from './exact-amount.ts';
import { type ChargedTrade, chargesOf } from './order-charges.ts';

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

/**
 * The contract note of an account's day. Charges are added up exactly by segment and rounded once: STT and stamp duty
 * to the rupee, the other items to the paisa. Source: market-rules R6.2.
 */
export function contractNote(rates: ChargeRates, day: ChargeableDay): ContractNote {
  const debits = demat(day);
  const depository = (rates.depository * debits) as Paise;
  return {
    sections: EXCHANGES.flatMap((segment) => section(rates, segment, day) ?? []),
    depository,
    depositoryGst: scaleHalfUp(depository, rates.gstPercent, 100),
  };
}

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

function section(rates: ChargeRates, segment: Exchange, day: ChargeableDay): NoteSection | undefined {
  const orders = day.orders.filter(({ exchange }) => exchange === segment);
  const exercises = (day.exercises ?? []).filter(({ exchange }) => exchange === segment);
  const deliveries = (day.deliveries ?? []).filter(({ exchange }) => exchange === segment);
  if (orders.length + exercises.length + deliveries.length === 0) return undefined;
  const charges = chargesOf(rates, orders);
  const squaredOff = orders.filter((order) => order.squaredOff).length;
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
function demat({ orders, deliveries = [] }: ChargeableDay): number {
  const sold = new Map<string, number>();
  for (const { tradeClass, isin, gross, side, quantity } of orders) {
    if (tradeClass !== 'delivery' || (gross && side === 'B')) continue;
    sold.set(isin, (sold.get(isin) ?? 0) + (side === 'S' ? quantity : -quantity));
  }
  const leaving = new Set([...sold].flatMap(([isin, units]) => (units > 0 ? [isin] : [])));
  for (const { isin, side } of deliveries) if (side === 'S') leaving.add(isin);
  return leaving.size;
}
