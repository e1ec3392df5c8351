import assert from 'node:assert/strict';
import type { InstrumentId } from '../../src/base/ids.ts';
import { type Derivative, type Equity, type Instrument, isDerivative } from '../../src/core/instrument.ts';
import type { Product, Side } from '../../src/core/order.ts';
import { halfUp, type NaiveExpiry } from './naive-note.ts';
import { NaiveOrders } from './naive-orders.ts';

/** One position. Units carried are below 0 when they are short; amounts in paise, at least 0. */
export interface NaiveRow {
  readonly instrument: Instrument;
  readonly product: Product;
  carried: number;
  /** The price at which the carried units stand: the close before the day. */
  basis: number;
  /** Their cost, or their proceeds, when they were opened. */
  cost: number;
  bought: number;
  paid: number;
  sold: number;
  got: number;
}

/** Shares of one ISIN. */
export interface NaiveShares {
  settled: number;
  unsettled: number;
  cost: number;
}

/** The facts from outside that the end of a day needs. */
export interface NaiveClose {
  readonly day: number;
  /** The close of an instrument, in paise. */
  readonly closeOf: (id: InstrumentId) => number;
  readonly instrumentOf: (id: InstrumentId) => Instrument;
  /**
   * True where the square-off of the day was over when shares were still open: who is short then is bought in at 20 %
   * above the close.
   */
  readonly squaredOff: (share: Equity) => boolean;
  readonly settles: boolean;
}

/** `amount` times `part / whole` to the paisa, half up. */
function partOf(amount: number, part: number, whole: number): number {
  return Number(halfUp(BigInt(amount) * BigInt(part), BigInt(whole)));
}

/**
 * One account as a bookkeeper with a pencil keeps it: he writes down trades, and at the day's end follows the rules
 * with them, without books, events or steps. Source: market-rules R5.2 to R5.21, R7.1 to R7.5.
 */
export class NaiveAccount {
  /** As the last day's end left it. */
  cash = 0;
  readonly shares = new Map<string, NaiveShares>();
  rows: NaiveRow[] = [];
  /** The turnover on which the day's charges are taken. */
  readonly orders = new NaiveOrders();

  trade(instrument: Instrument, product: Product, side: Side, units: number, amount: number): void {
    const row = this.rowOf(instrument, product);
    if (side === 'B') {
      row.bought += units;
      row.paid += amount;
    } else {
      row.sold += units;
      row.got += amount;
    }
  }

  /** Units of today and what they are worth go from one product to another. */
  convert(instrument: Instrument, from: Product, to: Product, side: Side, units: number, amount: number): void {
    this.orders.convert(instrument.id, from, side, units);
    this.trade(instrument, from, side, -units, -amount);
    this.trade(instrument, to, side, units, amount);
  }

  /** Ends the day; gives what expired, for its charges, which the caller takes from `cash`. */
  endDay(close: NaiveClose): NaiveExpiry[] {
    this.endIntraday(close);
    const expiries = this.expire(close);
    for (const row of this.rows) this.cash += flowOf(row, close.closeOf(row.instrument.id));
    this.settleShares(close.settles);
    this.rows = this.rows.flatMap((row) => carriedOn(row, close.closeOf(row.instrument.id)));
    return expiries;
  }

  private rowOf(instrument: Instrument, product: Product): NaiveRow {
    const known = this.rows.find((row) => row.instrument.id === instrument.id && row.product === product);
    if (known !== undefined) return known;
    const none = { carried: 0, basis: 0, cost: 0, bought: 0, paid: 0, sold: 0, got: 0 };
    const row: NaiveRow = { instrument, product, ...none };
    this.rows.push(row);
    return row;
  }

  /**
   * Intraday contracts are carried on, intraday shares become deliveries; short ones that are not owned are bought in.
   * Source: R2.25.
   */
  private endIntraday(close: NaiveClose): void {
    const short: [NaiveRow, Equity][] = [];
    for (const row of [...this.rows]) {
      const { instrument, product } = row;
      const net = netOf(row);
      if (net === 0 || (instrument.kind === 'equity' ? product === 'C' : product === 'M')) continue;
      if (instrument.kind === 'equity' && net < 0) short.push([row, instrument]);
      else if (net > 0) {
        const to = instrument.kind === 'equity' ? 'C' : 'M';
        this.convert(instrument, product, to, 'B', net, partOf(row.paid, net, row.bought));
      } else this.convert(instrument, product, 'M', 'S', -net, partOf(row.got, -net, row.sold));
    }
    for (const [row, share] of short) {
      const units = -netOf(row);
      const owned = Math.min(units, this.sellable(share));
      if (owned > 0) this.convert(share, row.product, 'C', 'S', owned, partOf(row.got, owned, row.sold));
      const price = close.squaredOff(share) ? closeOut(share, close) : close.closeOf(share.id);
      this.trade(share, row.product, 'B', units - owned, (units - owned) * price);
    }
  }

  /**
   * Shares that a delivery on one listing can have: those held, those bought there today, less those sold. Source:
   * R5.20, R5.24.
   */
  private sellable(share: Equity): number {
    const { settled = 0, unsettled = 0 } = this.shares.get(share.isin) ?? {};
    let units = settled + (share.tradeForTrade ? 0 : unsettled);
    for (const { instrument, product, bought, sold } of this.rows) {
      if (instrument.kind !== 'equity' || instrument.isin !== share.isin || product !== 'C') continue;
      if (instrument.id !== share.id) units -= Math.max(0, sold - bought);
      else units -= share.tradeForTrade ? sold : sold - bought;
    }
    return Math.max(0, units);
  }

  /**
   * Contracts on an index end in cash, those on a share in shares at the strike or, of futures, at the close. Source:
   * R7.1 to R7.3.
   */
  private expire(close: NaiveClose): NaiveExpiry[] {
    const expiries: NaiveExpiry[] = [];
    const moved = new Map<Equity, { units: number; exchange: Derivative['exchange'] }>();
    for (const row of [...this.rows]) {
      const { instrument: contract, product } = row;
      const net = netOf(row);
      if (!isDerivative(contract) || contract.expiryDay > close.day || net === 0) continue;
      const units = Math.abs(net);
      const closing = net > 0 ? 'S' : 'B';
      const spot = close.closeOf(contract.underlying);
      const inside = intrinsic(contract, spot);
      const share = close.instrumentOf(contract.underlying);
      if (share.kind !== 'equity') {
        this.trade(contract, product, closing, units, units * (contract.kind === 'future' ? spot : inside));
        if (contract.kind === 'option' && net > 0) {
          expiries.push({ exchange: contract.exchange, exercised: units * inside });
        }
        continue;
      }
      this.trade(contract, product, closing, units, contract.kind === 'future' ? units * spot : 0);
      if (contract.kind === 'option' && inside === 0) continue;
      const receives = contract.kind === 'future' ? net > 0 : (contract.optionType === 'CE') === net > 0;
      const price = contract.kind === 'future' ? spot : contract.strike;
      const known = moved.get(share) ?? { units: 0, exchange: contract.exchange };
      moved.set(share, { ...known, units: known.units + (receives ? units : -units) });
      // Netting moves money alone, so it is booked when the shares that are there have been counted.
      this.owed.push(() => this.trade(share, 'C', receives ? 'B' : 'S', units, units * price));
    }
    for (const [share, { units, exchange }] of moved) {
      const there = units > 0 ? units : Math.min(-units, this.sellable(share));
      const missing = Math.abs(units) - there;
      this.owed.push(() => this.trade(share, 'C', 'B', missing, missing * closeOut(share, close)));
      if (there === 0) continue;
      const value = there * close.closeOf(share.id);
      expiries.push({ exchange, delivered: { isin: share.isin, side: units > 0 ? 'B' : 'S', value } });
    }
    for (const book of this.owed.splice(0)) book();
    return expiries;
  }

  private readonly owed: (() => void)[] = [];

  /**
   * Yesterday's purchases are there, sold shares have left, and today's purchases are on their way. Source: R1.4,
   * R2.22, R5.18.
   */
  private settleShares(settles: boolean): void {
    for (const held of settles ? this.shares.values() : []) {
      held.settled += held.unsettled;
      held.unsettled = 0;
    }
    const moves = this.rows.flatMap(({ instrument, product, bought, sold, paid }) => {
      if (instrument.kind !== 'equity' || product !== 'C') return [];
      const { isin, tradeForTrade } = instrument;
      const net = bought - sold;
      if (tradeForTrade) return [{ isin, out: sold, in: bought, paid }];
      return [{ isin, out: Math.max(0, -net), in: Math.max(0, net), paid: net > 0 ? partOf(paid, net, bought) : 0 }];
    });
    for (const { isin, out } of moves) if (out > 0) this.deliver(isin, out);
    for (const { isin, in: units, paid } of moves) {
      if (units === 0) continue;
      const held = this.shares.get(isin) ?? { settled: 0, unsettled: 0, cost: 0 };
      this.shares.set(isin, held);
      held.unsettled += units;
      held.cost += paid;
    }
    for (const [isin, { settled, unsettled }] of this.shares) if (settled + unsettled === 0) this.shares.delete(isin);
  }

  private deliver(isin: string, units: number): void {
    const held = this.shares.get(isin);
    assert.ok(held && held.settled + held.unsettled >= units, `${units} of ${isin} are there`);
    held.cost -= partOf(held.cost, units, held.settled + held.unsettled);
    const onTheWay = Math.max(0, units - held.settled);
    held.settled -= units - onTheWay;
    held.unsettled -= onTheWay;
  }
}

export function netOf({ carried, bought, sold }: NaiveRow): number {
  return carried + bought - sold;
}

function intrinsic(contract: Derivative, spot: number): number {
  if (contract.kind === 'future') return 0;
  return Math.max(0, contract.optionType === 'CE' ? spot - contract.strike : contract.strike - spot);
}

/** 20 % above the close, up to the tick. Source: R2.25. */
function closeOut(share: Equity, { closeOf }: NaiveClose): number {
  return Math.ceil((closeOf(share.id) * 120) / 100 / share.tick) * share.tick;
}

/**
 * The cash that a row moves over the day. Options and deliveries are paid for; of all others the day's gain over its
 * basis is. Source: R5.8, R5.9.
 */
function flowOf(row: NaiveRow, close: number): number {
  const traded = row.got - row.paid;
  if (row.instrument.kind === 'option' || row.product === 'C') return traded;
  return traded + netOf(row) * close - (row.carried < 0 ? -row.basis : row.basis);
}

/** The row as the next day begins with it: contracts at their close, with what the open units cost. Source: R5.8. */
function carriedOn(row: NaiveRow, close: number): NaiveRow[] {
  const net = netOf(row);
  if (net === 0 || row.instrument.kind === 'equity') return [];
  const [units, amount] = net > 0 ? [row.bought, row.paid] : [row.sold, row.got];
  const before = row.carried * net > 0 ? Math.abs(row.carried) : 0;
  const cost = partOf((before > 0 ? row.cost : 0) + amount, Math.abs(net), before + units);
  const none = { bought: 0, paid: 0, sold: 0, got: 0 };
  return [{ ...row, ...none, carried: net, basis: Math.abs(net) * close, cost }];
}
