/**
 * A SPAN file as far as it has been read: the records that its elements fill one after the other. A draft may lack
 * parts; `span-form.ts` checks each element as it ends, and `span-reader.ts` makes the finished file.
 */
import type { Price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { OptionType } from '../../core/instrument.ts';
import type { SpanContract } from '../../core/margin/rates/span-file.ts';

export const SCENARIO_COUNT = 16;
/**
 * Contracts whose arrays share one buffer: a file has more than 100,000 contracts, and a buffer each would be as much
 * again.
 */
const CONTRACTS_IN_BUFFER = 1_024;

/** One portfolio of the file on its way: of shares or the index itself, of futures, or of options. */
export interface PortfolioDraft {
  code: string | undefined;
  spot: Price | undefined;
}

/** One contract on its way. */
export interface ContractDraft {
  expiry: IstDay | undefined;
  strike: Price | undefined;
  optionType: OptionType | undefined;
  price: Price | undefined;
  /** Filled by the array of the first rate. */
  readonly losses: Float64Array;
  delta: number | undefined;
}

/** A risk array on its way. */
export interface ArrayDraft {
  /** A contract may have arrays of several rates; the first rate is the one that counts. */
  first: boolean;
  count: number;
  delta: number | undefined;
}

/** The definition of a combined commodity on its way. */
export interface CommodityDraft {
  code: string | undefined;
  /** The dearest of its spreads. */
  calendarRate: number | undefined;
  shortOptionMinimum: number;
  spreadRate: number | undefined;
  spreadMethod: string | undefined;
}

/** The rates of a combined commodity, in hundredths of a paisa. */
export type CommodityRates = Readonly<Pick<CommodityDraft, 'calendarRate' | 'shortOptionMinimum'>>;

/** A scan point on its way. */
export interface ScanPointDraft {
  point: number | undefined;
  price: { numerator: number; denominator: number };
  volatility: { numerator: number; denominator: number };
}

export interface UnderlyingDraft {
  spot: Price | undefined;
  readonly contracts: Map<string, SpanContract>;
}

/** A SPAN file as far as it has been read. */
export class SpanDraft {
  format: string | undefined;
  /** How many points in time have begun. */
  points = 0;
  day: IstDay | undefined;
  exchange: 'NFO' | 'BFO' | undefined;
  commodity = newCommodity();
  scanPoint = newScanPoint();
  portfolio: PortfolioDraft = { code: undefined, spot: undefined };
  seriesExpiry: IstDay | undefined;
  contract: ContractDraft;
  array: ArrayDraft = { first: true, count: 0, delta: undefined };
  readonly commodities = new Map<string, CommodityRates>();
  readonly underlyings = new Map<string, UnderlyingDraft>();
  /** The codes of which a price was read: one underlying may have several codes. */
  readonly pricedCodes = new Set<string>();
  private buffer = new Float64Array(CONTRACTS_IN_BUFFER * SCENARIO_COUNT);
  private used = 0;

  constructor() {
    this.contract = this.newContract();
  }

  /** A contract to fill; its array is kept only when the contract is. */
  newContract(): ContractDraft {
    if (this.used === this.buffer.length) {
      this.buffer = new Float64Array(CONTRACTS_IN_BUFFER * SCENARIO_COUNT);
      this.used = 0;
    }
    return {
      expiry: undefined,
      strike: undefined,
      optionType: undefined,
      price: undefined,
      losses: this.buffer.subarray(this.used, this.used + SCENARIO_COUNT),
      delta: undefined,
    };
  }

  /** Keeps a contract under a key; false when the key is taken. */
  keep(symbol: string, key: string, contract: SpanContract): boolean {
    const { contracts } = this.underlyingOf(symbol);
    if (contracts.has(key)) return false;
    contracts.set(key, contract);
    this.used += SCENARIO_COUNT;
    return true;
  }

  underlyingOf(symbol: string): UnderlyingDraft {
    const known = this.underlyings.get(symbol);
    if (known !== undefined) return known;
    const made: UnderlyingDraft = { spot: undefined, contracts: new Map() };
    this.underlyings.set(symbol, made);
    return made;
  }
}

export function newCommodity(): CommodityDraft {
  return {
    code: undefined,
    calendarRate: undefined,
    shortOptionMinimum: 0,
    spreadRate: undefined,
    spreadMethod: undefined,
  };
}

export function newScanPoint(): ScanPointDraft {
  return {
    point: undefined,
    price: { numerator: Number.NaN, denominator: Number.NaN },
    volatility: { numerator: Number.NaN, denominator: Number.NaN },
  };
}
