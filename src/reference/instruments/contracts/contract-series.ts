/**
 * The generated contracts of one underlying and one expiry: instruments are made here when they are asked for, from
 * the terms of the series and a strike. The choice of strikes is in `contract-book.ts`; imported contracts are in
 * `imported-contracts.ts`.
 */
import { must } from '../../../base/assert.ts';
import { type InstrumentId, instrumentId } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { civilDate, type EpochMs, type IstDay, istInstant, MONTHS, twoDigits } from '../../../base/time.ts';
import type { CorporateAction } from '../../../core/broker/corporate-actions/corporate-action.ts';
import type { Derivative, Replacement } from '../../../core/instrument.ts';
import { ADJUSTED_STRIKE_UNIT, adjustedStrike } from '../../corporate-actions/adjusted-contract.ts';
import type { DerivativeExchange } from '../../rules/contract-cycles.ts';
import { type ListedSeries, OPTION_TYPES } from '../listed-series.ts';
import type { ExpiryLife } from './contract-schedule.ts';
import { contractSymbolHead, contractSymbolTail, formatStrike, type SymbolOption } from './contract-symbol.ts';
import { contractToken } from './contract-token.ts';
import type { StrikeLadder } from './strike-ladder.ts';
import type { Underlying } from './underlying.ts';

/** The terms that all generated contracts of one underlying and one expiry share. */
export interface SeriesTerms {
  readonly underlying: Underlying;
  readonly life: ExpiryLife;
  /** How often the contracts of the underlying had been adjusted when it was listed. */
  readonly adjustments: number;
  /** The action that put it in the place of another series; `undefined` when it was simply listed. */
  readonly adjustedBy: CorporateAction | undefined;
  /** The action that puts another series in its place before it expires, and the date from which that one is listed. */
  readonly replaced: { readonly by: CorporateAction; readonly on: IstDay } | undefined;
  /** The first date on which its options are listed. */
  readonly listedOn: IstDay;
  /** The first date of its future; `undefined` when it never has one. */
  readonly futureFrom: IstDay | undefined;
  readonly expiresAt: EpochMs;
  readonly lot: Quantity;
  readonly freeze: Quantity;
  readonly optionTick: Price;
  readonly futureTick: Price;
}

export class ContractSeries implements ListedSeries {
  readonly terms: SeriesTerms;
  readonly ladder: StrikeLadder;
  /** The series that it came in the place of. */
  readonly before: ContractSeries | undefined;
  readonly exchange: DerivativeExchange;
  readonly underlying: InstrumentId;
  readonly underlyingKind: 'index' | 'equity';
  readonly symbol: string;
  readonly expiryDay: IstDay;
  readonly cycle: 'weekly' | 'monthly';
  readonly symbolHead: string;
  readonly nameHead: string;
  private readonly liveUntil: EpochMs;
  /** By strike, the strike before the adjustment. */
  private readonly origins = new Map<Price, Price>();

  /** `before` is the series that it came in the place of, with all of its strikes. */
  constructor(terms: SeriesTerms, ladder: StrikeLadder, before?: ContractSeries) {
    this.terms = terms;
    this.ladder = ladder;
    this.before = before;
    const { underlying, life } = terms;
    this.liveUntil = terms.replaced === undefined ? terms.expiresAt : istInstant(terms.replaced.on);
    if (before !== undefined) this.takeOver(before);
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
    return at < this.liveUntil;
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

  contract(option: SymbolOption | undefined): Derivative | undefined {
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

  private make(option: SymbolOption | undefined, listedOn: IstDay): Derivative {
    const { expiresAt, lot, freeze, optionTick, futureTick } = this.terms;
    const tick = option ? optionTick : futureTick;
    const made = makeContract(this, { token: this.tokenOf(option), lot, tick, freeze, expiresAt, listedOn }, option);
    const replaces = this.replaced(option, listedOn);
    const replacedBy = this.replacement(option);
    if (replaces === undefined && replacedBy === undefined) return made;
    return { ...made, ...(replaces === undefined ? {} : { replaces }), ...(replacedBy && { replacedBy }) };
  }

  private tokenOf(option: SymbolOption | undefined, adjustments = this.terms.adjustments): number {
    const { underlying, life } = this.terms;
    const unit = adjustments === 0 ? underlying.unit : ADJUSTED_STRIKE_UNIT;
    return contractToken({
      week: life.week,
      code: underlying.code,
      adjustments,
      option: option && { strikeUnits: option.strike / unit, type: option.type },
    });
  }

  /** The contract of the series before that became this one. */
  private replaced(option: SymbolOption | undefined, listedOn: IstDay): InstrumentId | undefined {
    const { before, terms } = this;
    if (before === undefined || listedOn !== terms.listedOn) return undefined;
    if (!option) return before.hasFutureOn((listedOn - 1) as IstDay) ? this.idOf(before.tokenOf(undefined)) : undefined;
    const strike = this.origins.get(option.strike);
    return strike && this.idOf(before.tokenOf({ strike, type: option.type }));
  }

  /** The contract that this one becomes. */
  private replacement(option: SymbolOption | undefined): Replacement | undefined {
    const { replaced, adjustments } = this.terms;
    if (replaced === undefined) return undefined;
    const { by: action } = replaced;
    const adjusted = option && { strike: adjustedStrike(option.strike, action), type: option.type };
    return { id: this.idOf(this.tokenOf(adjusted, adjustments + 1)), from: action.exDay };
  }

  private idOf(token: number): InstrumentId {
    return instrumentId(this.exchange, token);
  }

  private takeOver({ ladder }: ContractSeries): void {
    const action = must(this.terms.adjustedBy, 'an action put the series in the place of another');
    for (let index = 0; index < ladder.size; index += 1) {
      const strike = ladder.strikeAt(index);
      const adjusted = adjustedStrike(strike, action);
      if (!this.origins.has(adjusted)) this.origins.set(adjusted, strike);
      this.ladder.list(adjusted, this.terms.listedOn);
    }
  }
}

/** The figures of one contract beside its series and its option terms. */
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
  option: SymbolOption | undefined,
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
 * The name of a contract in quotes and symbol files: `BANKNIFTY 29 26SEP 72600 C`. Contracts on an index have the day,
 * because several of them may expire in one month. Source: contract 3.5, section 5.
 */
function contractCompanyName(nameHead: string, option: SymbolOption | undefined): string {
  return option ? `${nameHead} ${formatStrike(option.strike)} ${option.type.charAt(0)}` : `${nameHead} FUT`;
}

/** The part of the name that all contracts of an underlying and an expiry share: `BANKNIFTY 29 26SEP`, `ITC 26SEP`. */
export function contractNameHead(series: Pick<ListedSeries, 'symbol' | 'underlyingKind' | 'expiryDay'>): string {
  const { year, month, day } = civilDate(series.expiryDay);
  const dayOfMonth = series.underlyingKind === 'index' ? `${twoDigits(day)} ` : '';
  return `${series.symbol} ${dayOfMonth}${twoDigits(year % 100)}${MONTHS[month - 1]}`;
}
