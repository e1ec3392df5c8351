/**
 * The risk of every instrument by the figures of one tick, computed once and kept by the owner of the ports. The
 * computation is in `rates/`; the sums over a portfolio are in `portfolio-sums.ts`.
 */

import { must } from '../../base/assert.ts';
import type { Exchange, InstrumentId, Tick } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { dayOf } from '../../base/tick.ts';
import type { IstDay } from '../../base/time.ts';
import type { Derivative, Equity, Instrument, Instruments } from '../instrument.ts';
import { isDerivative } from '../instrument.ts';
import type { Market } from '../market.ts';
import type { TradingDays } from '../trading-days.ts';
import { type CashRate, cashRate } from './rates/cash-rate.ts';
import { type ContractRisk, contractRisk } from './rates/contract-risk.ts';
import type { MarginRates, MarginTable } from './rates/margin-rates.ts';
import { type SpanFile, type SpanFiles, type SpanUnderlying, spanKey } from './rates/span-file.ts';

/** Everything that the risk of instruments follows from. */
interface RiskSources {
  readonly instruments: Instruments;
  readonly market: Market;
  readonly days: TradingDays;
  readonly margins: MarginTable;
  readonly spanFiles: SpanFiles;
  /** The tick of the figures. */
  readonly riskTick: Tick;
  /** Digests of the SPAN files in force. */
  readonly riskFiles: readonly string[];
}

/** The inputs of the margin of a share. */
export interface ShareRisk {
  /** In paise. */
  readonly price: Price;
  readonly rate: CashRate;
}

/**
 * The risk of every instrument by the figures of one tick, each computed when it is first needed. The sources are pure
 * functions, so keeping a result changes no answer.
 */
export class RiskSheet {
  private readonly sources: RiskSources;
  private readonly day: IstDay;
  private readonly rates: MarginRates;
  private readonly files: readonly SpanFile[];
  private readonly contracts = new Map<InstrumentId, ContractRisk>();
  private readonly shares = new Map<InstrumentId, ShareRisk>();

  constructor(sources: RiskSources) {
    const { riskTick, riskFiles, margins, spanFiles } = sources;
    this.sources = sources;
    this.day = dayOf(riskTick);
    this.rates = margins.on(this.day);
    this.files = riskFiles.map((digest) => must(spanFiles.get(digest), `SPAN file ${digest} is there`));
  }

  /** True when the sheet is computed from these sources: every one of them counts. */
  isOf({ riskTick, riskFiles, instruments, market, days, margins, spanFiles }: RiskSources): boolean {
    const { sources } = this;
    if (sources.riskTick !== riskTick || sources.market !== market || sources.days !== days) return false;
    if (sources.instruments !== instruments || sources.margins !== margins) return false;
    if (sources.spanFiles !== spanFiles) return false;
    return sources.riskFiles === riskFiles || String(sources.riskFiles) === String(riskFiles);
  }

  /** The risk of a future or an option. */
  contract(id: InstrumentId): ContractRisk {
    const known = this.contracts.get(id);
    if (known !== undefined) return known;
    const instrument = this.instrument(id);
    const made = this.contractOf(must(isDerivative(instrument) ? instrument : undefined, 'a contract is asked for'));
    this.contracts.set(id, made);
    return made;
  }

  /** The price and the rates of a share. */
  share(id: InstrumentId): ShareRisk {
    const known = this.shares.get(id);
    if (known !== undefined) return known;
    const { market, riskTick } = this.sources;
    const instrument = this.instrument(id);
    const equity: Equity = must(instrument.kind === 'equity' ? instrument : undefined, 'a share is asked for');
    const { price, volatility } = market.risk(id, riskTick);
    const made = { price, rate: cashRate(this.rates, equity, volatility) };
    this.shares.set(id, made);
    return made;
  }

  private instrument(id: InstrumentId): Instrument {
    return must(this.sources.instruments.get(id), `instrument ${id} is in the master`);
  }

  private contractOf(contract: Derivative): ContractRisk {
    const { sources, day } = this;
    const file = this.underlyingOf(contract.exchange, contract.symbol);
    const key = spanKey(contract.expiryDay, contract.kind === 'option' ? contract : undefined);
    const ofStock = contract.underlyingKind === 'equity';
    const rate = ofStock ? this.share(contract.underlying).rate : undefined;
    return contractRisk({
      contract,
      rates: this.rates,
      figures: sources.market.risk(contract.id, sources.riskTick),
      day,
      file,
      stated: file?.contracts.get(key),
      daysLeft: ofStock ? this.daysLeft(contract.expiryDay) : 0,
      cashRate: rate === undefined ? 0 : rate.valueAtRisk + rate.extremeLoss,
    });
  }

  private underlyingOf(exchange: Exchange, symbol: string): SpanUnderlying | undefined {
    return this.files.find((file) => file.exchange === exchange)?.underlyings.get(symbol);
  }

  /** Trading days from the day of the figures to `expiry`; any number above those of deliveries means more. */
  private daysLeft(expiry: IstDay): number {
    const { days } = this.sources;
    const most = this.rates.delivery.longOption.length;
    let left = 0;
    for (let day = this.day + 1; day <= expiry && left < most; day += 1) {
      if (days.isTradingDay(day as IstDay)) left += 1;
    }
    return left;
  }
}

/**
 * The sheet that was asked for last. Each owner of ports makes one for them, so that no reader leaves anything behind
 * for the decisions of another.
 */
export class RiskSheets {
  private last: RiskSheet | undefined;

  of(sources: RiskSources): RiskSheet {
    if (this.last === undefined || !this.last.isOf(sources)) this.last = new RiskSheet(sources);
    return this.last;
  }
}

/** Sources whose owner keeps their sheet. */
interface KeptSources extends RiskSources {
  readonly riskSheets: RiskSheets;
}

/** The sheet of the figures in force. */
export function riskSheet(ports: KeptSources): RiskSheet {
  return ports.riskSheets.of(ports);
}

/**
 * The rates of a share by the figures in force; haircuts are computed from its VaR. Source: market-rules R4.20, R5.23.
 */
export function cashRateOf(ports: KeptSources, share: InstrumentId): CashRate {
  return riskSheet(ports).share(share).rate;
}
