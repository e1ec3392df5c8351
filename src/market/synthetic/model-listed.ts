/**
 * One instrument of the synthetic market: it draws the tape, the volume and the open interest of each day from the
 * paths and the typical liquidity. Closes and terms are left to `session/listed.ts`.
 */
import { ZERO_QUANTITY } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import { type Derivative, isDerivative } from '../../core/instrument.ts';
import type { PriceBand } from '../../core/market.ts';
import type { DayTape } from '../day-tape.ts';
import type { MarketBook, TradedDay } from '../listing.ts';
import { auctionLots } from '../session/auction-shape.ts';
import { ClosingPrint } from '../session/closing-print.ts';
import { Listed, type ListedTerms, type Predecessor } from '../session/listed.ts';
import { officialClose } from '../session/official-close.ts';
import type { TradingMinutes } from '../session/sessions.ts';
import {
  type ContractView,
  contractLots,
  contractSpreadShare,
  lotsToMove,
  openLots,
} from './contracts/contract-liquidity.ts';
import type { Source } from './paths/line.ts';
import { withinPath } from './paths/span-of-days.ts';
import { type BookedDay, type BookedTape, bookAt } from './trades/book-shape.ts';
import type { Activity } from './trades/day-trades.ts';
import { busyness } from './trades/day-volume.ts';
import { cashDay, contractDay, indexLiquidity, type Liquidity, liquidity } from './trades/liquidity.ts';
import { Tape } from './trades/tape.ts';

/** The model's data of one instrument, however it was found. */
export interface ModelTerms extends ListedTerms {
  readonly source: Source;
  /** The drawn source in whose place a recorded one stands. */
  readonly model?: Source;
  /** How much the instrument, or its underlying, has moved in a day. */
  readonly activity: Activity;
  /** The day's expected move as a multiple of an ordinary day's, as far as it is known in the morning. */
  readonly dayActivity: (day: IstDay) => number;
  readonly seed: number;
  /**
   * Units traded on a typical day; of the underlying share for a contract; 0 for an index and what is written on one.
   */
  readonly cashVolume: number;
  /** Turnover of a share on a typical day, in paise; 0 for everything else. */
  readonly turnover: number;
  /** Of a share with contracts: how many times the usual open interest they have on a day. */
  readonly crowding?: (day: IstDay) => number;
  /** The width of the touch as a share of the price; of an option at the money. */
  readonly spreadShare: number;
  readonly underlying: ModelListed | undefined;
  readonly predecessor: ModelPredecessor | undefined;
}

export interface ModelPredecessor extends Predecessor {
  readonly listed: ModelListed;
}

/** The day of an instrument as it is drawn, with its liquidity. */
export interface DrawnDay extends TradedDay, BookedDay {
  readonly tape: DayTape & BookedTape;
}

/** One instrument in the model, which draws its tapes. */
export class ModelListed extends Listed<ModelTerms, DrawnDay> {
  fairValue(day: IstDay, minute: number): number {
    return this.terms.source.at(withinPath(day), minute);
  }

  typicalVolume(day: IstDay): number {
    return this.terms.cashVolume * this.unitsOn(day);
  }

  protected make(day: IstDay, hours: TradingMinutes): DrawnDay {
    const { terms, instrument } = this;
    const derivative = isDerivative(instrument) ? instrument : undefined;
    const openFrom = derivative === undefined ? 0 : this.openBefore(day);
    const openTo = derivative === undefined ? 0 : this.openAtEndOf(day);
    const liquid = this.liquidityOf(day, hours, derivative, lotsToMove(openFrom, openTo));
    const { source, activity, seed } = terms;
    const lot = instrument.kind === 'index' ? ZERO_QUANTITY : instrument.lot;
    const { trades, lots, spreadShare } = liquid;
    const phases = this.phasesOn(day, hours);
    const closesAt = this.closesAt(day, hours, phases);
    const closing =
      closesAt === undefined
        ? undefined
        : new ClosingPrint(closesAt, lot === 0 ? 0 : auctionLots(lots, 'Close'), () => officialClose(terms, traded));
    const { tick } = instrument;
    const tape = new Tape({ day, hours, source, activity, seed, tick, lot, trades, lots, spreadShare, closing });
    const book = (second: number, band: PriceBand, before: MarketBook | undefined): MarketBook =>
      bookAt({ traded, second, band, isOption: instrument.kind === 'option' }, before);
    const traded: DrawnDay = { tape, phases, liquidity: liquid, tick, lot: instrument.lot, openFrom, openTo, book };
    return traded;
  }

  /** The liquidity of a day; `atLeast` lots of a contract trade, so that its open interest can move. */
  protected liquidityOf(
    day: IstDay,
    hours: TradingMinutes,
    contract: Derivative | undefined,
    atLeast: number,
  ): Liquidity {
    const { terms, instrument } = this;
    if (instrument.kind === 'index') return indexLiquidity(hours);
    const price = terms.source.at(day, 0);
    if (contract === undefined) {
      const typical = cashDay(this.typicalVolume(day) / instrument.lot, terms.turnover);
      const lots = Math.max(Math.floor(typical.lots * this.busynessOf(day) + 0.5), atLeast);
      return liquidity(typical, lots, hours, terms.spreadShare, price, instrument);
    }
    const view = this.view(contract, day);
    const typical = contractDay(contractLots(view));
    const lots = Math.max(Math.floor(typical.lots * this.busynessOf(day) + 0.5), atLeast);
    return liquidity(typical, lots, hours, contractSpreadShare(view, terms.spreadShare), price, instrument);
  }

  /** How many times the typical volume a day brings. The contracts of an underlying are busy when it is. */
  private busynessOf(day: IstDay): number {
    const { dayActivity, seed } = (this.terms.underlying ?? this).terms;
    return busyness(seed, day, dayActivity(day));
  }

  protected openAtEndOf(day: IstDay): number {
    const { instrument } = this;
    return isDerivative(instrument) ? openLots(this.view(instrument, day)) : 0;
  }

  private view(contract: Derivative, day: IstDay): ContractView {
    const annualVolatility = this.terms.volatility;
    const crowding = this.terms.underlying?.terms.crowding?.(day) ?? 1;
    const view = { annualVolatility, cashVolume: this.typicalVolume(day), spot: this.spot(day), crowding };
    return { contract, ...this.origin(contract), ...view, day };
  }

  /**
   * The first day and the seed of a contract, or of the first contract that it goes back to: its open interest goes on.
   */
  private origin(contract: Derivative): Pick<ContractView, 'bornOn' | 'seed'> {
    let first = contract;
    let { predecessor, seed } = this.terms;
    while (predecessor !== undefined) {
      const { instrument, terms } = predecessor.listed;
      if (isDerivative(instrument)) first = instrument;
      ({ predecessor, seed } = terms);
    }
    return { bornOn: first.listedOn, seed };
  }

  private unitsOn(day: IstDay): number {
    return this.terms.ratios?.unitsOn(day) ?? 1;
  }

  /** The underlying's value in paise when a day begins. */
  private spot(day: IstDay): number {
    return (this.terms.underlying ?? this).terms.source.at(day, 0);
  }
}
