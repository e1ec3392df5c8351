/**
 * Finds or makes the model of every instrument: which paths move it, how strongly, and how much it trades. It draws
 * nothing itself; what it keeps only saves time.
 */

import { must } from '../../base/assert.ts';
import { type InstrumentId, instrumentId } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { hashWords } from '../../base/random.ts';
import { RecentMap } from '../../base/tables/recent-map.ts';
import { type IstDay, istDay } from '../../base/time.ts';
import {
  type Derivative,
  type Equity,
  type Index,
  type Instrument,
  type Instruments,
  isDerivative,
} from '../../core/instrument.ts';
import { CASH_EXCHANGES } from '../../reference/calendar/trading-calendar.ts';
import { adjustedContractPrice } from '../../reference/corporate-actions/adjusted-contract.ts';
import type { ActionIndex } from '../../reference/corporate-actions/announced-actions.ts';
import { type EffectiveAction, ShareRatios } from '../../reference/corporate-actions/share-ratios.ts';
import type { CashFacts, MarketFacts } from '../../reference/instruments/facts.ts';
import { CLOSE_MINUTE, MINUTES_IN_DAY, TRADING_DAYS } from '../day-tape.ts';
import { type AtmVolatility, KEPT_INSTRUMENTS, type Listings } from '../listing.ts';
import { closeMadeAt } from '../session/auction-shape.ts';
import { closedAt } from '../session/closing-print.ts';
import type { Sessions } from '../session/sessions.ts';
import type { StandsOn } from '../session/stands-on.ts';
import { Carry } from './contracts/carry.ts';
import { futureSpreadShare, OPTION_SPREAD } from './contracts/contract-liquidity.ts';
import { Forward, FutureSource, OptionSource } from './contracts/contract-source.ts';
import { IndexSource } from './index-source.ts';
import { ModelListed, type ModelPredecessor, type ModelTerms } from './model-listed.ts';
import { Factors } from './paths/factors.ts';
import type { Source } from './paths/line.ts';
import { mixedClock } from './paths/mean-clock.ts';
import { withinPath } from './paths/span-of-days.ts';
import { Volatilities, VolatilityIndexSource } from './paths/volatility.ts';
import { type Anchor, type Loadings, StockSource } from './stock-source.ts';
import { crowding } from './trades/crowding.ts';
import type { Activity } from './trades/day-trades.ts';
import { cashSpreadShare } from './trades/liquidity.ts';
import { TwinSource } from './twin-source.ts';

const NIFTY = instrumentId('NSE', 26000);
const INDIA_VIX = instrumentId('NSE', 26017);
/** The deviation of the market path in a year, which beta multiplies. */
const MARKET_VOLATILITY = 0.142;
/** The least and the most of a share's deviation that the market makes. */
const LEAST_MARKET = 0.37;
const MOST_MARKET = 0.63;
/** The most of a bank's: banks go with the market less than other shares of their weight. */
const MOST_OF_A_BANK = 0.56;
/** A share's part from its sector, and the market's part of an index whose members are unknown. */
const SECTOR_PART = 0.27;
const INDEX_MARKET_PART = 0.9;
/** The ids of adjusted contracts begin here: too wide for one word of a hash. */
const WIDE_ID = 2 ** 45;
const WORD = 2 ** 32;

/** The inputs of the models of instruments. */
export interface RosterTerms {
  readonly seed: number;
  readonly regime: HoursRegime;
  readonly instruments: Instruments;
  readonly facts: MarketFacts;
}

/** Finds or makes the model of an instrument from the facts, the master and the corporate actions. */
export class Roster implements Listings<ModelListed> {
  readonly volatilities: Volatilities;
  protected readonly instruments: Instruments;
  protected readonly facts: MarketFacts;
  protected readonly sessions: Sessions;
  private actions: ActionIndex;
  private readonly factors: Factors;
  protected readonly regime: HoursRegime;
  private readonly known = new RecentMap<InstrumentId, ModelListed>(KEPT_INSTRUMENTS);
  private readonly stocks = new Map<InstrumentId, Stock>();
  private made = 0;
  private readonly marketActivity: Activity;
  private readonly marketDayActivity: ModelTerms['dayActivity'];

  constructor({ seed, regime, instruments, facts }: RosterTerms, sessions: Sessions, actions: ActionIndex) {
    this.instruments = instruments;
    this.facts = facts;
    this.sessions = sessions;
    this.actions = actions;
    this.regime = regime;
    this.factors = new Factors(seed, regime);
    this.volatilities = new Volatilities(this.factors);
    this.marketDayActivity = (day) => this.factors.expectedOn(day);
    this.marketActivity = (day, minute) => this.factors.marketAt(day, minute).variances[minute] as number;
  }

  get(id: InstrumentId): ModelListed {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const listed = this.listed(this.termsOf(id), this.made);
    this.made += 1;
    this.known.set(id, listed);
    return listed;
  }

  passing(contract: Derivative): ModelListed {
    return this.known.get(contract.id) ?? this.listed(this.contractTerms(contract), 0);
  }

  forgetPaths(): void {
    this.factors.days.forget();
  }

  heed(actions: ActionIndex, isChanged: StandsOn): void {
    this.actions = actions;
    this.known.forget(({ instrument }) => isChanged(instrument));
    for (const id of this.stocks.keys()) {
      if (isChanged(must(this.instruments.get(id), 'a share with a path'))) this.stocks.delete(id);
    }
  }

  /** Makes a listing of its model. A source of recorded days puts them in its place here. */
  protected listed(terms: ModelTerms, number: number): ModelListed {
    return new ModelListed(terms, this.sessions, number);
  }

  /** The at-the-money volatility of an index. */
  private atmOfIndex(annual: number): AtmVolatility {
    return (day, minute) => this.volatilities.ofIndex(annual, withinPath(day), minute);
  }

  private atmOfShare(annual: number, seed: number): AtmVolatility {
    return (day, minute) => this.volatilities.ofStock(annual, seed, withinPath(day), minute);
  }

  private termsOf(id: InstrumentId): ModelTerms {
    const instrument = must(this.instruments.get(id), `instrument ${id} is not in the master`);
    switch (instrument.kind) {
      case 'index':
        return this.indexTerms(instrument);
      case 'equity':
        return this.equityTerms(instrument);
      default:
        return this.contractTerms(instrument);
    }
  }

  private indexTerms(index: Index): ModelTerms {
    const facts = this.factsOf(index.id);
    const source = this.indexSource(index, facts);
    return {
      instrument: index,
      source,
      ...this.closesWithMembers(index, source),
      activity: this.marketActivity,
      dayActivity: this.marketDayActivity,
      turnover: 0,
      seed: this.seedOf(index.id),
      volatility: facts.volatility,
      atm: this.atmOfIndex(facts.volatility),
      cashVolume: 0,
      spreadShare: 0,
      underlying: undefined,
      ratios: undefined,
      predecessor: undefined,
    };
  }

  /**
   * Where every hour trades an index has its last level at midnight, as its members have. Source: market-rules R2.16.
   */
  private closesWithMembers({ id }: Index, source: Source): Pick<ModelTerms, 'membersClose'> {
    if (!(source instanceof IndexSource) || this.regime === 'always') return {};
    const members = this.facts.constituentsOf(id);
    const member = (place: number) => this.get(must(members[place], 'a member').id);
    return {
      membersClose: {
        at: (day) =>
          Math.max(...members.map((_, place) => closedAt(this.sessions.phases(member(place).instrument, day)))),
        level: (day) => source.levelOf(day, (place) => modelClose(member(place), day)),
      },
    };
  }

  private indexSource(index: Index, facts: CashFacts): Source {
    const name = `index ${index.id}`;
    if (index.id === INDIA_VIX) {
      return new VolatilityIndexSource(this.factors, this.volatilities, this.factsOf(NIFTY).volatility);
    }
    const members = this.facts.constituentsOf(index.id);
    if (members.length > 0) {
      const sources = members.map(({ id, weight }) => ({ source: this.stock(this.leading(id)).source, weight }));
      return new IndexSource(this.factors, name, sources, anchorOf(facts));
    }
    const deviation = facts.volatility / Math.sqrt(TRADING_DAYS);
    return new StockSource(this.factors, name, facts.sector, split(deviation, INDEX_MARKET_PART, 0), anchorOf(facts));
  }

  private equityTerms(equity: Equity): ModelTerms {
    const facts = this.factsOf(equity.id);
    const { stock, source } = this.equitySource(equity);
    const { contracts } = facts;
    const seed = this.seedOf(this.leading(equity.id));
    return {
      instrument: equity,
      source,
      activity: (day, minute) => stock.source.activity(day, minute),
      dayActivity: (day) => stock.source.dayActivity(day),
      turnover: facts.dayVolume * facts.reference,
      seed: this.seedOf(equity.id),
      volatility: facts.volatility,
      atm: this.atmOfShare(facts.volatility, this.seedOf(equity.id)),
      cashVolume: facts.dayVolume,
      ...(contracts && { crowding: (day: IstDay) => crowding(seed, contracts, day) }),
      spreadShare: cashSpreadShare(facts.dayVolume * facts.reference),
      underlying: undefined,
      ratios: stock.ratios,
      predecessor: undefined,
    };
  }

  private equitySource(equity: Equity): { readonly stock: Stock; readonly source: Source } {
    const leading = this.leading(equity.id);
    const stock = this.stock(leading);
    const { source } = stock;
    const follows = leading !== equity.id;
    return { stock, source: follows ? new TwinSource(source, equity.tick, this.seedOf(equity.id)) : source };
  }

  /** The listing that gives a share its path: the one on NSE leads, the one on BSE follows. */
  protected leading(id: InstrumentId): InstrumentId {
    if (this.instruments.get(id)?.exchange !== 'BSE') return id;
    return this.facts.twinOf(id) ?? id;
  }

  /** The path of a share by its leading listing. */
  private stock(id: InstrumentId): Stock {
    const known = this.stocks.get(id);
    if (known !== undefined) return known;
    const facts = this.factsOf(id);
    const equity = must(this.instruments.get(id), `share ${id} is not in the master`);
    const name = equity.kind === 'equity' && equity.isin !== '' ? equity.isin : `share ${id}`;
    const ratios = this.ratiosOf(equity);
    const source = new StockSource(this.factors, name, facts.sector, loadingsOf(facts), anchorOf(facts), ratios);
    const made = { source, ratios };
    this.stocks.set(id, made);
    return made;
  }

  private ratiosOf({ id }: Instrument): ShareRatios | undefined {
    const effective: EffectiveAction[] = [];
    for (const action of this.actions.of(id)) {
      const from = this.beginOf(action.exDay);
      if (from !== undefined) effective.push({ action, from });
    }
    return effective.length === 0
      ? undefined
      : new ShareRatios(effective, (day) => this.get(id).officialCloseBefore(day).price);
  }

  /** The date after the last trading day of either house before a day: there the trading day begins. */
  private beginOf(day: IstDay): IstDay | undefined {
    const before = CASH_EXCHANGES.map((house) => this.sessions.tradingDay(house, (day - 1) as IstDay) ?? 0);
    const last = Math.max(...before);
    return last === 0 ? undefined : ((last + 1) as IstDay);
  }

  private contractTerms(contract: Derivative): ModelTerms {
    const underlying = this.get(contract.underlying);
    const { source: spot, activity, dayActivity, volatility, atm, cashVolume, spreadShare, ratios } = underlying.terms;
    const carrySeed = hashWords(this.factors.seed, contract.underlying, contract.expiryDay, 1);
    const forward = new Forward({
      spot,
      expiresAt: contract.expiresAt,
      tick: underlying.instrument.tick,
      seed: carrySeed,
      settledFrom: this.settledFrom(underlying.instrument, istDay(contract.expiresAt)),
      clock: mixedClock(this.factors.mean, this.marketShareOf(underlying)),
      carry: new Carry(hashWords(this.factors.seed, contract.underlying, 2)),
    });
    const option = contract.kind === 'option';
    return {
      instrument: contract,
      source: option
        ? new OptionSource({ type: contract.optionType, strike: contract.strike }, forward, atm)
        : new FutureSource(forward),
      activity,
      dayActivity,
      turnover: 0,
      seed: this.seedOf(contract.id),
      volatility,
      atm,
      cashVolume,
      spreadShare: option ? OPTION_SPREAD : futureSpreadShare(spreadShare),
      underlying,
      varianceYears: (day, minute) => forward.varianceYears(day, minute),
      carryFactor: (day, minute, years) => forward.factor(day, minute, years),
      ratios,
      predecessor: this.predecessorOf(contract),
    };
  }

  /** The share of the variance of an index or share that the market makes. */
  private marketShareOf({ instrument, terms }: ModelListed): number {
    const drawn = terms.model ?? terms.source;
    const source = instrument.kind === 'equity' ? this.stock(this.leading(instrument.id)).source : drawn;
    return source instanceof IndexSource || source instanceof StockSource ? source.marketShare : 1;
  }

  /**
   * The minute of a day in which the close of a share, or of the members of an index, is made; the day's end without an
   * auction.
   */
  private settledFrom(underlying: Instrument, day: IstDay): number {
    const [member] = this.facts.constituentsOf(underlying.id);
    const share = member === undefined ? underlying : must(this.instruments.get(member.id), 'a member of an index');
    return closeMadeAt(this.sessions.phases(share, day)) ?? MINUTES_IN_DAY;
  }

  private predecessorOf(contract: Derivative): ModelPredecessor | undefined {
    if (contract.replaces === undefined) return undefined;
    const listed = this.get(contract.replaces);
    const exDay = isDerivative(listed.instrument) ? listed.instrument.replacedBy?.from : undefined;
    const action = must(
      this.actions.adjusting(contract.underlying).find((known) => known.exDay === exDay),
      `a corporate action adjusted ${contract.tradingSymbol}`,
    );
    return {
      listed,
      adjusted: (price) => adjustedContractPrice(price, contract.kind, action),
    };
  }

  private factsOf(id: InstrumentId): CashFacts {
    return must(this.facts.factsOf(id), `no facts of instrument ${id}`);
  }

  protected seedOf(id: InstrumentId): number {
    const { seed } = this.factors;
    return id < WIDE_ID ? hashWords(seed, id) : hashWords(seed, id, Math.floor(id / WORD));
  }
}

/** The path of a share, and its corporate actions. */
interface Stock {
  readonly source: StockSource;
  readonly ratios: ShareRatios | undefined;
}

/** The close of a member as the drawn index has it: a member that follows a record has left the index's paths. */
function modelClose(member: ModelListed, day: IstDay): number {
  return member.terms.model?.at(day, CLOSE_MINUTE) ?? member.closeOf(day);
}

function anchorOf(facts: CashFacts): Anchor {
  return { close: facts.reference, day: facts.referenceDay, minute: CLOSE_MINUTE };
}

/** Shares a daily deviation among market, sector and own path. */
function split(deviation: number, market: number, sector: number): Loadings {
  const own = Math.sqrt(1 - market * market - sector * sector);
  return { market: market * deviation, sector: sector * deviation, own: own * deviation };
}

function loadingsOf(facts: CashFacts): Loadings {
  const wanted = (facts.beta * MARKET_VOLATILITY) / facts.volatility;
  const market = Math.min(Math.max(wanted, LEAST_MARKET), facts.sector === 'BANK' ? MOST_OF_A_BANK : MOST_MARKET);
  return split(facts.volatility / Math.sqrt(TRADING_DAYS), market, facts.sector === 'OTHER' ? 0 : SECTOR_PART);
}
