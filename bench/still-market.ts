import { instrumentId, type Tick } from '../src/base/ids.ts';
import { price, quantity } from '../src/base/money.ts';
import { type IstDay, istInstant, SECOND_MS } from '../src/base/time.ts';
import type { Derivative, Equity } from '../src/core/instrument.ts';
import { type Market, NO_TURNOVER, noInterest, type Print, type RiskFigures } from '../src/core/market.ts';
import type { Ports } from '../src/core/ports.ts';
import { testPorts } from '../test/kit/ports.ts';
import { RULES } from '../test/kit/rules.ts';

/** The day and the instant of the core's benchmarks. */
export const DAY = 20_780 as IstDay;
export const AT = istInstant(DAY, 36_000_000);
const INDEX = instrumentId('NSE', 26_000);

const basics = (exchange: 'NSE' | 'NFO', token: number, tradingSymbol: string, lot: number) => ({
  id: instrumentId(exchange, token),
  exchange,
  token,
  tradingSymbol,
  symbol: tradingSymbol,
  companyName: tradingSymbol,
  lot: quantity(lot),
  tick: price(5),
  freeze: quantity(1_000_000),
});

/** A share. */
export function share(token: number): Equity {
  return {
    ...basics('NSE', token, `SHARE${token}-EQ`, 1),
    kind: 'equity',
    isin: `INE${String(token).padStart(9, '0')}`,
    series: 'EQ',
    tradeForTrade: false,
    hasDerivatives: true,
  };
}

/** An option on the index: all of them share one margin portfolio. */
export function option(token: number): Derivative {
  return {
    ...basics('NFO', token, `NIFTY29DEC26C${token}`, 65),
    kind: 'option',
    strike: price(24_000_00),
    optionType: 'CE',
    underlying: INDEX,
    underlyingKind: 'index',
    expiryDay: (DAY + 30) as IstDay,
    expiresAt: istInstant((DAY + 30) as IstDay),
    listedOn: DAY,
    cycle: 'monthly',
  };
}

const LAST: Print = { tick: 0 as Tick, price: price(1_000_00), quantity: quantity(1), aggressor: 'B' };
const DEPTH = {
  bids: [{ price: price(999_95), quantity: quantity(1_000_000), orders: 3, generation: 1 }],
  asks: [{ price: price(1_000_05), quantity: quantity(1_000_000), orders: 3, generation: 1 }],
};
const BAND = { lower: price(500_00), upper: price(1_500_00) };
const RISK: RiskFigures = {
  price: price(1_000_00),
  spot: price(24_000_00),
  spotClose: price(24_000_00),
  forward: price(24_000_00),
  value: 1_000_00,
  delta: () => 1,
  volatility: 0.12,
  reprice: (move) => 1_000_00 * (1 + move),
};

/** A market that stands still at 1,000 rupees, so that what is measured is the core. */
export const STILL_MARKET: Market = {
  tickAt: (at) => Math.floor(at / SECOND_MS) as Tick,
  phase: () => 'Continuous',
  isOpen: () => true,
  depth: () => DEPTH,
  quantityAt: () => quantity(0),
  print: () => undefined,
  lastPrint: () => LAST,
  turnover: () => NO_TURNOVER,
  previousClose: () => price(1_000_00),
  auction: () => noInterest(price(1_000_00)),
  band: () => BAND,
  risk: () => RISK,
};

/** Shares of the still market, and the ports of a core that trades them with today's charges. */
export function stillShares(count: number): { readonly shares: readonly Equity[]; readonly ports: Ports } {
  const shares = Array.from({ length: count }, (_, index) => share(index + 1));
  const byId = new Map<number, Equity>(shares.map((one) => [one.id, one]));
  const instruments = { get: (id: number) => byId.get(id) };
  return { shares, ports: testPorts({ instruments, market: STILL_MARKET, charges: RULES.charges }) };
}
