import type { InstrumentId } from '../../base/ids.ts';
import { type EpochMs, type IstDay, istDay, SECOND_MS } from '../../base/time.ts';
import { type Derivative, isDerivative } from '../instrument.ts';
import type { Market, RiskFigures } from '../market.ts';
import { type Desk, instrumentOf } from '../ports.ts';

/** The margin of one unit of one contract, in paise as floating point numbers: rounded once the quantity is known. */
export interface ContractRisk {
  /** The previous close in paise. */
  readonly price: number;
  /** SPAN of one unit held and of one unit sold short. */
  readonly longSpan: number;
  readonly shortSpan: number;
  readonly longExposure: number;
  readonly shortExposure: number;
}

/** Price moves as shares of the scan range, volatility moves as shares of the volatility range, share of the loss. Source: R4.3. */
const SCENARIOS: readonly (readonly [price: number, volatility: number, weight: number])[] = [
  [0, 1, 1],
  [0, -1, 1],
  [1 / 3, 1, 1],
  [1 / 3, -1, 1],
  [-1 / 3, 1, 1],
  [-1 / 3, -1, 1],
  [2 / 3, 1, 1],
  [2 / 3, -1, 1],
  [-2 / 3, 1, 1],
  [-2 / 3, -1, 1],
  [1, 1, 1],
  [1, -1, 1],
  [-1, 1, 1],
  [-1, -1, 1],
  [2, 0, 0.35],
  [-2, 0, 0.35],
];

const TRADING_DAYS = 252;
const NINE_MONTHS_DAYS = 274;
const INDEX = { floor: 0.093, volatilityFloor: 0.04, exposure: 0.02 };
const LONG_DATED_INDEX_OPTION_FLOOR = 0.177;
const STOCK = { floor: 0.142, volatilityFloor: 0.1, exposure: 0.035 };

/** The price scan range as a share of the underlying's price. Source: market-rules R4.1. */
export function priceScanRange(volatility: number, floor: number): number {
  return Math.max(6 * (volatility / Math.sqrt(TRADING_DAYS)) * Math.SQRT2, floor);
}

/** The volatility scan range in absolute points. Source: market-rules R4.2. */
export function volatilityScanRange(volatility: number, floor: number): number {
  return Math.max(0.25 * volatility, floor);
}

const NOTHING: ContractRisk = { price: 0, longSpan: 0, shortSpan: 0, longExposure: 0, shortExposure: 0 };

function rate(contract: Derivative, figures: RiskFigures, day: IstDay): ContractRisk {
  const price = figures.price;
  if (contract.expiryDay < day) return { ...NOTHING, price };
  const rules = contract.underlyingKind === 'index' ? INDEX : STOCK;
  const longDated = contract.kind === 'option' && rules === INDEX && contract.expiryDay - day > NINE_MONTHS_DAYS;
  const scan = priceScanRange(figures.volatility, longDated ? LONG_DATED_INDEX_OPTION_FLOOR : rules.floor);
  const volatilityScan = volatilityScanRange(figures.volatility, rules.volatilityFloor);
  const now = figures.reprice(0, 0);
  let longLoss = 0;
  let shortLoss = 0;
  for (const [priceMove, volatilityMove, weight] of SCENARIOS) {
    const loss = weight * (now - figures.reprice(priceMove * scan, volatilityMove * volatilityScan));
    longLoss = Math.max(longLoss, loss);
    shortLoss = Math.max(shortLoss, -loss);
  }
  if (contract.kind === 'future') {
    const exposure = rules.exposure * price;
    return { price, longSpan: longLoss, shortSpan: shortLoss, longExposure: exposure, shortExposure: exposure };
  }
  return { ...NOTHING, price, shortSpan: shortLoss + price, shortExposure: rules.exposure * figures.spot };
}

/**
 * The risk of every contract at one day of one market and master, each computed when it is first asked for. A market's figures are fixed for a
 * trading day, so remembering them changes no answer.
 */
export class RiskSheet {
  readonly day: IstDay;
  readonly desk: Desk;
  private readonly risks = new Map<InstrumentId, ContractRisk>();

  constructor(desk: Desk, day: IstDay) {
    this.desk = desk;
    this.day = day;
  }

  /**
   * The risk of a derivative; of a share the price alone. A long option needs no SPAN: its premium is paid. A short one needs the
   * scan and the premium that closing would cost. Source: market-rules R4.1, R4.3, R4.6, R4.9, R4.10, R4.13, R4.18.
   */
  of(id: InstrumentId): ContractRisk {
    const known = this.risks.get(id);
    if (known !== undefined) return known;
    const { desk, day } = this;
    const instrument = instrumentOf(desk, id);
    const figures = desk.market.risk(id, desk.tick);
    const risk = isDerivative(instrument) ? rate(instrument, figures, day) : { ...NOTHING, price: figures.price };
    this.risks.set(id, risk);
    return risk;
  }
}

const sheets = new WeakMap<Market, RiskSheet>();

/** The sheet of the desk's day. */
export function riskSheet(desk: Desk): RiskSheet {
  const day = istDay((desk.tick * SECOND_MS) as EpochMs);
  const known = sheets.get(desk.market);
  if (known?.day === day && known.desk.instruments === desk.instruments) return known;
  const sheet = new RiskSheet(desk, day);
  sheets.set(desk.market, sheet);
  return sheet;
}
