import { type InstrumentId, instrumentId } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import { civilDate, type EpochMs, type IstDay, twoDigits } from '../../base/time.ts';
import type { Derivative } from '../../core/instrument.ts';
import type { DerivativeExchange } from '../rules/contract-cycles.ts';
import type { ExpiryLife } from './contract-schedule.ts';
import { contractSymbolHead, contractSymbolTail, formatStrike, MONTHS, type OptionTerms } from './contract-symbol.ts';
import { contractToken } from './contract-token.ts';
import { type ListedSeries, OPTION_TYPES } from './listed-series.ts';
import type { StrikeLadder } from './strike-ladder.ts';
import type { Underlying } from './underlying.ts';

/** What all generated contracts of one underlying and one expiry share. */
export interface SeriesTerms {
  readonly underlying: Underlying;
  readonly life: ExpiryLife;
  /** The first day on which its options trade. */
  readonly listedOn: IstDay;
  /** The first day of its future; `undefined` when it never has one. */
  readonly futureFrom: IstDay | undefined;
  readonly expiresAt: EpochMs;
  readonly lot: Quantity;
  readonly freeze: Quantity;
  readonly optionTick: Price;
  readonly futureTick: Price;
}

/** The generated contracts of one underlying and one expiry. */
export class ContractSeries implements ListedSeries {
  readonly terms: SeriesTerms;
  readonly ladder: StrikeLadder;
  readonly exchange: DerivativeExchange;
  readonly underlying: InstrumentId;
  readonly underlyingKind: 'index' | 'equity';
  readonly symbol: string;
  readonly expiryDay: IstDay;
  readonly cycle: 'weekly' | 'monthly';
  readonly symbolHead: string;
  readonly nameHead: string;

  constructor(terms: SeriesTerms, ladder: StrikeLadder) {
    this.terms = terms;
    this.ladder = ladder;
    const { underlying, life } = terms;
    this.exchange = underlying.exchange;
    this.underlying = underlying.id;
    this.underlyingKind = underlying.kind;
    this.symbol = underlying.symbol;
    this.expiryDay = life.expiryDay;
    this.cycle = life.cycle;
    this.symbolHead = contractSymbolHead(this.exchange, this);
    this.nameHead = contractNameHead(this);
  }

  isLive(at: EpochMs): boolean {
    return at < this.terms.expiresAt;
  }

  hasFutureOn(day: IstDay): boolean {
    return this.terms.futureFrom !== undefined && this.terms.futureFrom <= day;
  }

  strikesOn(day: IstDay): Price[] {
    const strikes: Price[] = [];
    for (let index = 0; index < this.ladder.size; index += 1) {
      if (this.ladder.listedOnAt(index) <= day) strikes.push(this.ladder.strikeAt(index));
    }
    return strikes;
  }

  contract(option: OptionTerms | undefined): Derivative | undefined {
    if (!option) return this.terms.futureFrom === undefined ? undefined : this.make(undefined, this.terms.futureFrom);
    const index = this.ladder.indexOf(option.strike);
    return index < 0 ? undefined : this.make(option, this.ladder.listedOnAt(index));
  }

  *contracts(day: IstDay): Generator<Derivative> {
    const { futureFrom } = this.terms;
    if (futureFrom !== undefined && futureFrom <= day) yield this.make(undefined, futureFrom);
    for (let index = 0; index < this.ladder.size; index += 1) {
      const listedOn = this.ladder.listedOnAt(index);
      if (listedOn > day) continue;
      for (const type of OPTION_TYPES) yield this.make({ strike: this.ladder.strikeAt(index), type }, listedOn);
    }
  }

  countOn(day: IstDay): number {
    return this.strikesOn(day).length * OPTION_TYPES.length + (this.hasFutureOn(day) ? 1 : 0);
  }

  private make(option: OptionTerms | undefined, listedOn: IstDay): Derivative {
    const { underlying, life, expiresAt, lot, freeze, optionTick, futureTick } = this.terms;
    const token = contractToken({
      week: life.week,
      code: underlying.code,
      option: option && { strikeUnits: option.strike / underlying.unit, type: option.type },
    });
    const tick = option ? optionTick : futureTick;
    return makeContract(this, { token, lot, tick, freeze, expiresAt, listedOn }, option);
  }
}

/** What one contract has beside its series and its option terms. */
export interface ContractFigures {
  readonly token: number;
  readonly lot: Quantity;
  readonly tick: Price;
  readonly freeze: Quantity;
  readonly expiresAt: EpochMs;
  readonly listedOn: IstDay;
}

export function makeContract(
  series: ListedSeries,
  figures: ContractFigures,
  option: OptionTerms | undefined,
): Derivative {
  const { exchange, symbol, underlying, underlyingKind, expiryDay, cycle, symbolHead, nameHead } = series;
  const { token, lot, tick, freeze, expiresAt, listedOn } = figures;
  const common = {
    id: instrumentId(exchange, token),
    exchange,
    token,
    tradingSymbol: symbolHead + contractSymbolTail(exchange, option),
    symbol,
    companyName: contractCompanyName(nameHead, option),
    lot,
    tick,
    freeze,
    underlying,
    underlyingKind,
    expiryDay,
    expiresAt,
    listedOn,
    cycle,
  };
  if (!option) return { ...common, kind: 'future' };
  return { ...common, kind: 'option', strike: option.strike, optionType: option.type };
}

/**
 * The name of a contract in quotes and symbol files: `BANKNIFTY 29 26SEP 72600 C`. Contracts on an index have the day, because
 * several of them may expire in one month. Source: contract 3.5, section 5.
 */
function contractCompanyName(nameHead: string, option: OptionTerms | undefined): string {
  return option ? `${nameHead} ${formatStrike(option.strike)} ${option.type.charAt(0)}` : `${nameHead} FUT`;
}

/** The part of the name that all contracts of an underlying and an expiry share: `BANKNIFTY 29 26SEP`, `ITC 26SEP`. */
export function contractNameHead(series: Pick<ListedSeries, 'symbol' | 'underlyingKind' | 'expiryDay'>): string {
  const { year, month, day } = civilDate(series.expiryDay);
  const dayOfMonth = series.underlyingKind === 'index' ? `${twoDigits(day)} ` : '';
  return `${series.symbol} ${dayOfMonth}${twoDigits(year % 100)}${MONTHS[month - 1]}`;
}
