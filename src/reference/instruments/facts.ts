import type { InstrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';

/** The market model's facts of one index or equity: the real figures that its prices start from. */
export interface CashFacts {
  /** The reference close in paise: the last real close on record; above 0. */
  readonly reference: Price;
  /** The day of that close. */
  readonly referenceDay: IstDay;
  /** Annual volatility: 0.25 for 25 %. */
  readonly volatility: number;
  /** Units traded on a typical day; 0 for an index. */
  readonly dayVolume: number;
  /** The sector, such as `BANK`, `IT`, `PHARMA`; `OTHER` when no index names it, `MARKET` for an index. */
  readonly sector: string;
  /** How far a move of the whole market carries over: 1 for the market itself. */
  readonly beta: number;
  /** Of a share with contracts, where it is on record. */
  readonly contracts?: ContractFacts;
}

/** The known figures of the positions in contracts on a share. */
export interface ContractFacts {
  /** The part of the units traded in the share that is delivered: 0.5 for half. */
  readonly delivered: number;
  /** Open units of all futures on it, as days of its typical volume. */
  readonly openDays: number;
}

/** One member of an index. */
export interface Constituent {
  readonly id: InstrumentId;
  /** The share of the index's value; the weights of one index sum to 1. */
  readonly weight: number;
}

/** The figures of cash instruments and indices, the same for ever. */
export interface MarketFacts {
  /** `undefined` for a contract and for an id that is not in the master. */
  factsOf(id: InstrumentId): CashFacts | undefined;
  /** The members of an index by falling weight; empty when unknown, and for everything that is not an index. */
  constituentsOf(indexId: InstrumentId): readonly Constituent[];
  /** The same company's share on the other exchange; `undefined` when it is listed on one only. */
  twinOf(id: InstrumentId): InstrumentId | undefined;
}
