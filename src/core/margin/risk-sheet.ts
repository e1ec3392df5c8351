import { must } from '../../base/assert.ts';
import type { Exchange, InstrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { dayOf } from '../../base/tick.ts';
import type { IstDay } from '../../base/time.ts';
import type { Derivative, Equity } from '../instrument.ts';
import { isDerivative } from '../instrument.ts';
import type { Market } from '../market.ts';
import { type Desk, daysOf, instrumentOf } from '../ports.ts';
import { type CashRate, cashRate } from './cash-rate.ts';
import { type ContractRisk, contractRisk } from './contract-risk.ts';
import type { MarginRates } from './margin-rates.ts';
import { type SpanFile, type SpanUnderlying, spanKey } from './span-file.ts';

/** What the margin of a share follows from. */
export interface ShareRisk {
  /** In paise. */
  readonly price: Price;
  readonly rate: CashRate;
}

/**
 * The risk of every instrument by the figures of one tick, each computed when it is first asked for. The market and the files are functions,
 * so remembering changes no answer.
 */
export class RiskSheet {
  private readonly desk: Desk;
  private readonly day: IstDay;
  private readonly rates: MarginRates;
  private readonly files: readonly SpanFile[];
  private readonly contracts = new Map<InstrumentId, ContractRisk>();
  private readonly shares = new Map<InstrumentId, ShareRisk>();

  constructor(desk: Desk) {
    this.desk = desk;
    this.day = dayOf(desk.riskTick);
    this.rates = desk.margins.on(this.day);
    this.files = desk.riskFiles.map((digest) => must(desk.spanFiles?.get(digest), `SPAN file ${digest} is there`));
  }

  /** True when the sheet is of the desk's tick, files and ports. */
  isOf({ riskTick, riskFiles, instruments, market, margins }: Desk): boolean {
    const { desk } = this;
    if (desk.riskTick !== riskTick || desk.market !== market) return false;
    if (desk.instruments !== instruments || desk.margins !== margins) return false;
    return desk.riskFiles === riskFiles || String(desk.riskFiles) === String(riskFiles);
  }

  /** The risk of a future or an option. */
  contract(id: InstrumentId): ContractRisk {
    const known = this.contracts.get(id);
    if (known !== undefined) return known;
    const instrument = instrumentOf(this.desk, id);
    const made = this.contractOf(must(isDerivative(instrument) ? instrument : undefined, 'a contract is asked for'));
    this.contracts.set(id, made);
    return made;
  }

  /** The price and the rates of a share. */
  share(id: InstrumentId): ShareRisk {
    const known = this.shares.get(id);
    if (known !== undefined) return known;
    const { desk } = this;
    const instrument = instrumentOf(desk, id);
    const equity: Equity = must(instrument.kind === 'equity' ? instrument : undefined, 'a share is asked for');
    const { price, volatility } = desk.market.risk(id, desk.riskTick);
    const made = { price, rate: cashRate(this.rates, equity, volatility) };
    this.shares.set(id, made);
    return made;
  }

  private contractOf(contract: Derivative): ContractRisk {
    const { desk, day } = this;
    const file = this.underlyingOf(contract.exchange, contract.symbol);
    const key = spanKey(contract.expiryDay, contract.kind === 'option' ? contract : undefined);
    const ofStock = contract.underlyingKind === 'equity';
    const rate = ofStock ? this.share(contract.underlying).rate : undefined;
    return contractRisk({
      contract,
      rates: this.rates,
      figures: desk.market.risk(contract.id, desk.riskTick),
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

  /** Trading days from the day of the figures to `expiry`; any number above those of deliveries stands for more. */
  private daysLeft(expiry: IstDay): number {
    const days = daysOf(this.desk);
    const most = this.rates.delivery.longOption.length;
    let left = 0;
    for (let day = this.day + 1; day <= expiry && left < most; day += 1) {
      if (days.isTradingDay(day as IstDay)) left += 1;
    }
    return left;
  }
}

const sheets = new WeakMap<Market, RiskSheet>();

/** The sheet of the desk's tick and files. */
export function riskSheet(desk: Desk): RiskSheet {
  const known = sheets.get(desk.market);
  if (known?.isOf(desk)) return known;
  const sheet = new RiskSheet(desk);
  sheets.set(desk.market, sheet);
  return sheet;
}

/** The rates of a share by the figures in force; its VaR is what haircuts are made from. Source: market-rules R4.20, R5.23. */
export function cashRateOf(desk: Desk, share: InstrumentId): CashRate {
  return riskSheet(desk).share(share).rate;
}
