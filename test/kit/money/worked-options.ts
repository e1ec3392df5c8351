import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import type { Derivative, Instrument } from '../../../src/core/instrument.ts';
import { call, contract, NIFTY, put, type Quoted, riskMarket } from '../../../src/core/margin/margin-fixture.ts';
import type { Market, RiskFigures } from '../../../src/core/market.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { testPorts } from '../ports.ts';
import { listed, RELIANCE } from './listed.ts';
import { StillMarket } from './still-market.ts';

/* The contracts of market-rules 4.3 at their prices: S 24000, r 7 %, 30 days, scan range 2232, volatility range 4 %. */

export { TODAY } from '../../../src/core/margin/margin-fixture.ts';
export const LOT = 65;
export const FUTURE = contract(2, { kind: 'future' });
export const CALL_24000 = call(4, 24_000);
export const CALL_24500 = call(5, 24_500);
export const CALL_25000 = call(6, 25_000);
/** Deep in the money; no part of the worked examples. */
export const CALL_21600 = call(10, 21_600);
export const PUT_23500 = put(8, 23_500);
export const PUT_23000 = put(9, 23_000);

const QUOTED: readonly Quoted[] = [
  { instrument: FUTURE, price: 24_138_50 },
  { instrument: CALL_24000, price: 428_85, volatility: 0.13 },
  { instrument: CALL_24500, price: 195_25, volatility: 0.125 },
  { instrument: CALL_25000, price: 70_80, volatility: 0.122 },
  { instrument: CALL_21600, price: 2_540_00, volatility: 0.15 },
  { instrument: PUT_23500, price: 143_30, volatility: 0.14 },
  { instrument: PUT_23000, price: 65_95, volatility: 0.15 },
];
export const CONTRACTS: readonly Derivative[] = QUOTED.map(({ instrument }) => instrument as Derivative);

/**
 * A market in which everything can be traded at its price, and contracts are valued as the worked examples value them.
 */
class WorkedMarket extends StillMarket {
  private readonly figures: Market = riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.12 }]]), QUOTED);

  override risk(id: InstrumentId, tick = 0 as Tick): RiskFigures {
    return CONTRACTS.some((one) => one.id === id) ? this.figures.risk(id, tick) : super.risk(id);
  }
}

export function workedWorld(): { ports: Ports; market: StillMarket } {
  const market = new WorkedMarket();
  for (const { instrument, price } of QUOTED) {
    market.quotes.set(instrument.id, { bid: price, ask: price, last: price, close: price });
  }
  market.quotes.set(RELIANCE.id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00, close: 1_260_00 });
  const get = (id: InstrumentId): Instrument | undefined => CONTRACTS.find((one) => one.id === id) ?? listed.get(id);
  return { ports: testPorts({ instruments: { get }, market }), market };
}
