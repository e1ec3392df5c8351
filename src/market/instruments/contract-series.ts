import { instrumentId } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { civilDate, twoDigits } from '../../base/time.ts';
import type { Derivative, Future, Option, OptionType } from '../../core/instrument.ts';
import type { ExpiryLife } from './contract-schedule.ts';
import { contractSymbol, contractSymbolHead, formatStrike, MONTHS, type OptionTerms } from './contract-symbol.ts';
import { contractToken } from './contract-token.ts';
import type { StrikeLadder } from './strike-ladder.ts';
import type { Underlying } from './underlying.ts';

/** What all contracts of one underlying and one expiry share. */
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

/** The contracts of one underlying and one expiry. Instruments are made when they are asked for and not kept. */
export class ContractSeries {
  readonly terms: SeriesTerms;
  readonly ladder: StrikeLadder;
  /** What the trading symbols of all its contracts begin with. */
  readonly symbolHead: string;
  /** What the names of all its contracts begin with. */
  readonly nameHead: string;

  constructor(terms: SeriesTerms, ladder: StrikeLadder) {
    this.terms = terms;
    this.ladder = ladder;
    const { underlying, life } = terms;
    this.symbolHead = contractSymbolHead(underlying.exchange, { symbol: underlying.symbol, ...life });
    this.nameHead = contractNameHead(underlying.symbol, underlying.kind, life.expiryDay);
  }

  /** True while its contracts can be found: until the instant of expiry. */
  isLive(at: EpochMs): boolean {
    return at < this.terms.expiresAt;
  }

  future(): Future {
    return { ...this.common(undefined), kind: 'future' };
  }

  /** The option at a place of the ladder. */
  option(index: number, type: OptionType): Option {
    const strike = this.ladder.strikeAt(index);
    return {
      ...this.common({ strike, type, listedOn: this.ladder.listedOnAt(index) }),
      kind: 'option',
      strike,
      optionType: type,
    };
  }

  /** The option of a strike that is on the ladder. */
  optionOf(strike: Price, type: OptionType): Option {
    return this.option(this.ladder.indexOf(strike), type);
  }

  /** The contracts that are listed on `day`, the future first, then by strike, call before put. */
  *contracts(day: IstDay): Generator<Derivative> {
    if (this.hasFutureOn(day)) yield this.future();
    for (let index = 0; index < this.ladder.size; index += 1) {
      if (this.ladder.listedOnAt(index) > day) continue;
      yield this.option(index, 'CE');
      yield this.option(index, 'PE');
    }
  }

  /** How many contracts are listed on `day`. */
  countOn(day: IstDay): number {
    let strikes = 0;
    for (let index = 0; index < this.ladder.size; index += 1) if (this.ladder.listedOnAt(index) <= day) strikes += 1;
    return strikes * 2 + (this.hasFutureOn(day) ? 1 : 0);
  }

  hasFutureOn(day: IstDay): boolean {
    return this.terms.futureFrom !== undefined && this.terms.futureFrom <= day;
  }

  private common(option: { strike: Price; type: OptionType; listedOn: IstDay } | undefined) {
    const { underlying, life, listedOn, futureFrom, expiresAt, lot, freeze, optionTick, futureTick } = this.terms;
    const { exchange, code, symbol } = underlying;
    const token = contractToken({
      week: life.week,
      code,
      option: option && { strikeUnits: option.strike / underlying.unit, type: option.type },
    });
    const { expiryDay, cycle } = life;
    return {
      id: instrumentId(exchange, token),
      exchange,
      token,
      tradingSymbol: contractSymbol(exchange, { symbol, expiryDay, cycle, option }),
      symbol,
      companyName: contractCompanyName(this.nameHead, option),
      lot,
      tick: option ? optionTick : futureTick,
      freeze,
      underlying: underlying.id,
      underlyingKind: underlying.kind,
      expiryDay,
      expiresAt,
      listedOn: option?.listedOn ?? futureFrom ?? listedOn,
      cycle,
    };
  }
}

/**
 * The name of a contract in quotes and symbol files: `BANKNIFTY 29 26SEP 72600 C`. Contracts on an index have the day, because
 * several of them may expire in one month. Source: contract 3.5, section 5.
 */
export function contractCompanyName(nameHead: string, option: OptionTerms | undefined): string {
  return option ? `${nameHead} ${formatStrike(option.strike)} ${option.type.charAt(0)}` : `${nameHead} FUT`;
}

/** The part of the name that all contracts of an underlying and an expiry share: `BANKNIFTY 29 26SEP`, `ITC 26SEP`. */
export function contractNameHead(symbol: string, underlyingKind: 'index' | 'equity', expiryDay: IstDay): string {
  const { year, month, day } = civilDate(expiryDay);
  const dayOfMonth = underlyingKind === 'index' ? `${twoDigits(day)} ` : '';
  return `${symbol} ${dayOfMonth}${twoDigits(year % 100)}${MONTHS[month - 1]}`;
}
