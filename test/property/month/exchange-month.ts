import { join } from 'node:path';
import { must } from '../../../src/base/assert.ts';
import type { Exchange, InstrumentId } from '../../../src/base/ids.ts';
import type { Price } from '../../../src/base/money.ts';
import { type EpochMs, type IstDay, istDay } from '../../../src/base/time.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { calendarHours } from '../../../src/market/session/sessions.ts';
import { SyntheticMarket } from '../../../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { futuresOn } from '../../kit/futures-on.ts';
import { testPorts } from '../../kit/ports.ts';

const SHARES = ['RELIANCE-EQ', 'TCS-EQ', 'IDEA-EQ', 'SUNPHARMA-EQ', 'INFY-EQ'];
const STOCKS_WITH_OPTIONS = ['RELIANCE-EQ', 'SUNPHARMA-EQ'];

/**
 * The real instruments on the synthetic market in the exchange's own hours, and what the month's traders trade there.
 */
export class ExchangeMonth {
  readonly ports: Ports;
  readonly market: SyntheticMarket;
  private near: { readonly day: IstDay; readonly contracts: readonly Instrument[] } | undefined;
  private readonly instruments: ReturnType<ReturnType<typeof loadReferenceData>['master']>;

  constructor(seed: number) {
    const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
    const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => this.market.closeOn(id, day, asOf);
    this.instruments = data.master({ closeOf });
    this.market = new SyntheticMarket({
      seed,
      regime: 'exchange',
      instruments: this.instruments,
      facts: data.facts,
      calendar: calendarHours(data),
    });
    const { instruments, market } = this;
    this.ports = testPorts({ instruments, market, charges: data.rules.charges, days: data.days });
  }

  /** Everything that is listed on an exchange. */
  listed(exchange: Exchange, at: EpochMs): Instrument[] {
    return [...this.instruments.list(exchange, at)];
  }

  shares(at: EpochMs): Instrument[] {
    return SHARES.map((symbol) => must(this.instruments.find('NSE', symbol, at), `${symbol} is listed`));
  }

  /** The nearest future on an underlying. */
  future(symbol: string, at: EpochMs): Instrument | undefined {
    return futuresOn(this.instruments, 'NFO', symbol, at)[0];
  }

  /** The near futures, and the options of the next two expiries around the money. */
  contracts(at: EpochMs): readonly Instrument[] {
    const day = istDay(at);
    if (this.near?.day !== day) this.near = { day, contracts: this.contractsOn(at) };
    return this.near.contracts;
  }

  private contractsOn(at: EpochMs): Instrument[] {
    const found = this.contractsOf('Nifty 50', at, 5);
    for (const symbol of STOCKS_WITH_OPTIONS) found.push(...this.contractsOf(symbol, at, 2));
    return found;
  }

  private contractsOf(name: string, at: EpochMs, strikesEachSide: number): Instrument[] {
    const { instruments, market } = this;
    const underlying = must(instruments.find('NSE', name, at), `${name} is listed`);
    const spot = market.lastPrint(underlying.id, market.tickAt(at)).price;
    const near: Instrument[] = [];
    for (const expiry of instruments.expiries(underlying.id, at).slice(0, 2)) {
      const chain = [...instruments.chain(underlying.id, expiry, at)];
      chain.sort((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot));
      near.push(...chain.slice(0, strikesEachSide * 4));
    }
    return [...near, ...futuresOn(instruments, 'NFO', underlying.symbol, at)];
  }
}
