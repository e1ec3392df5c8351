import { type AccountId, EXCHANGES, type InstrumentId, instrumentId, type Tick } from '../../../src/base/ids.ts';
import { type Paise, price, type Quantity, quantity } from '../../../src/base/money.ts';
import type { Random } from '../../../src/base/random.ts';
import { SECOND_MS } from '../../../src/base/time.ts';
import type { Position } from '../../../src/core/account.ts';
import { isLive } from '../../../src/core/broker/orders/life-cycle.ts';
import type { Command, ConvertPosition, ModifyOrder, PlaceOrder, SetRiskGroup } from '../../../src/core/command.ts';
import { type Instrument, isDerivative } from '../../../src/core/instrument.ts';
import type { Market } from '../../../src/core/market.ts';
import {
  type Order,
  type OrderTerms,
  PRICE_TYPES,
  PRODUCTS,
  type Product,
  type Side,
} from '../../../src/core/order.ts';
import type { State } from '../../../src/core/state.ts';
import { GROSS, NIFTY, NIFTY_CALL, NIFTY_FUTURE, NIFTY_PUT, RELIANCE, RELIANCE_BSE } from './listed.ts';

/** The instruments that are traded in the random runs; the index is there to be refused. */
const TRADED: readonly Instrument[] = [RELIANCE, RELIANCE, RELIANCE_BSE, GROSS, NIFTY_FUTURE, NIFTY_CALL, NIFTY_PUT];

/** A source of commands as clients, the market's clock and operators send them: most make sense, some never do. */
export class RandomCommands {
  private readonly random: Random;
  private readonly market: Market;
  private tokens = 0;

  constructor(random: Random, market: Market) {
    this.random = random;
    this.market = market;
  }

  next(state: State, tick: Tick): Command {
    const draw = this.random.below(1_000);
    if (draw < 520) return this.place(state, tick);
    if (draw < 640) return this.modify(state, tick);
    if (draw < 780) return this.cancel(state);
    if (draw < 900) return this.move(state, tick);
    if (draw < 950) return this.convert(state);
    if (draw < 975) return this.money(state);
    return this.session(state);
  }

  private account(state: State): AccountId {
    return this.random.below(state.accounts.length) as AccountId;
  }

  private place(state: State, tick: Tick): PlaceOrder {
    const { random } = this;
    const instrument = random.chance(1) ? NIFTY : random.pick(TRADED);
    const side: Side = random.chance(50) ? 'B' : 'S';
    const key = random.chance(5) ? { key: `k${random.below(40)}`, bodyDigest: `d${random.below(2)}` } : undefined;
    return {
      type: 'PlaceOrder',
      account: this.account(state),
      instrument: instrument.id,
      side,
      product: this.product(instrument),
      terms: this.terms(instrument, side, tick),
      remarks: random.chance(20) ? 'tag' : '',
      ...(random.chance(10) ? { protection: random.between(1, 60_000) } : {}),
      ...(key === undefined ? {} : { idempotency: key }),
    };
  }

  private product(instrument: Instrument): Product {
    const { random } = this;
    if (isDerivative(instrument)) return random.chance(2) ? 'C' : random.pick(['M', 'M', 'I']);
    return random.pick(['C', 'C', 'I', 'M']);
  }

  private terms(instrument: Instrument, side: Side, tick: Tick): OrderTerms {
    const { random } = this;
    const priceType = random.pick(PRICE_TYPES);
    const isStop = priceType === 'SL-LMT' || priceType === 'SL-MKT';
    const last = this.market.lastPrint(instrument.id, tick).price;
    const step = instrument.tick;
    const away = random.between(-6, 6) * step;
    const beyond = random.between(1, 12) * step * (side === 'B' ? 1 : -1);
    const trigger = isStop ? Math.max(step, last + beyond) : 0;
    const limit = isStop ? trigger + Math.sign(beyond) * step * random.below(4) : last + away;
    const isMarket = priceType === 'MKT' || priceType === 'SL-MKT';
    return {
      priceType,
      retention: !isStop && random.chance(15) ? 'IOC' : 'DAY',
      quantity: this.units(instrument),
      price: price(isMarket ? 0 : Math.max(step, limit + (random.chance(2) ? 1 : 0))),
      trigger: price(trigger),
    };
  }

  private units(instrument: Instrument): Quantity {
    const { random } = this;
    if (random.chance(1)) return quantity(random.between(1, 2_000_000));
    return quantity(instrument.lot * random.between(1, isDerivative(instrument) ? 4 : 60));
  }

  private order(state: State): Order | undefined {
    const account = state.accounts.at(this.account(state));
    if (account === undefined || account.orders.length === 0) return undefined;
    const recent = account.orders.slice(-12).flatMap((number) => state.orders.get(number) ?? []);
    const live = recent.filter((order) => isLive(order.status));
    return live.length > 0 && this.random.chance(90) ? this.random.pick(live) : recent[0];
  }

  private modify(state: State, tick: Tick): Command {
    const { random } = this;
    const order = this.order(state);
    if (order === undefined) return this.place(state, tick);
    const instrument = TRADED.find(({ id }) => id === order.instrument) ?? NIFTY;
    const fresh = this.terms(instrument, order.side, tick);
    const smaller = {
      ...order.terms,
      quantity: quantity(Math.max(instrument.lot, order.terms.quantity - instrument.lot)),
    };
    const terms = random.chance(40) ? smaller : fresh;
    const command: ModifyOrder = {
      type: 'ModifyOrder',
      account: random.chance(97) ? order.account : this.account(state),
      order: order.number,
      terms: terms.priceType === 'MKT' ? { ...terms, price: price(0) } : terms,
      ...(terms.priceType === 'MKT' || terms.priceType === 'SL-MKT' ? { protection: random.between(100, 50_000) } : {}),
    };
    return command;
  }

  private cancel(state: State): Command {
    const order = this.order(state);
    const account = order === undefined || this.random.chance(3) ? this.account(state) : order.account;
    return { type: 'CancelOrder', account, order: (order?.number ?? 1) as Order['number'] };
  }

  private move(state: State, tick: Tick): Command {
    const known = [...state.books.keys()];
    const instrument = known.length === 0 ? RELIANCE.id : this.random.pick(known);
    return { type: 'MoveMarket', instrument, tick };
  }

  private convert(state: State): Command {
    const { random } = this;
    const account = this.account(state);
    const rows = [...(state.accounts.at(account)?.positions.values() ?? [])];
    const row: Position | undefined = rows.length === 0 ? undefined : random.pick(rows);
    const command: ConvertPosition = {
      type: 'ConvertPosition',
      account,
      instrument: row?.instrument ?? RELIANCE.id,
      from: row === undefined || random.chance(5) ? random.pick(['C', 'M', 'I']) : row.product,
      to: random.pick(['C', 'M', 'I']),
      quantity: quantity(random.pick([1, 20, 65, 130])),
      side: random.pick(['B', 'S']),
      age: random.pick(['day', 'carried']),
    };
    return command;
  }

  private money(state: State): Command {
    const { random } = this;
    const account = this.account(state);
    const draw = random.below(11);
    if (draw === 10) return this.riskGroup(account);
    if (draw < 3) {
      const amount = random.between(0, 50_000_00) as Paise;
      return { type: 'DepositCash', account, amount, opening: random.chance(50) };
    }
    if (draw < 5) return { type: 'PayOutCash', account, amount: random.between(0, 40_000_00) as Paise };
    if (draw < 8) {
      const type = random.pick(['PledgeShares', 'PledgeShares', 'ReleaseShares'] as const);
      const listing = random.pick([RELIANCE.id, RELIANCE_BSE.id, GROSS.id, NIFTY.id]);
      return { type, account, instrument: listing, quantity: quantity(random.between(0, 60)) };
    }
    const instrument: InstrumentId = random.pick([
      RELIANCE.id,
      RELIANCE_BSE.id,
      GROSS.id,
      NIFTY.id,
      instrumentId('NSE', 7),
    ]);
    const units = random.between(0, 100);
    return { type: 'CreditHolding', account, instrument, quantity: quantity(units), cost: (units * 900_00) as Paise };
  }

  /** Half of what is set is lifted again, so that trading goes on. */
  private riskGroup(account: AccountId): SetRiskGroup {
    const { random } = this;
    const command = { type: 'SetRiskGroup', account, by: 'operator', why: 'random' } as const;
    if (random.chance(50)) return command;
    const change: SetRiskGroup['change'] = {
      ...(random.chance(30) ? { name: random.pick(['ONLINE', 'HNI']) } : {}),
      ...(random.chance(50) ? { orderValueCap: random.between(1, 5_00_000_00) as Paise } : {}),
      ...(random.chance(50) ? { products: [random.pick(PRODUCTS), random.pick(PRODUCTS)] } : {}),
      ...(random.chance(30) ? { exchanges: [random.pick(EXCHANGES), random.pick(EXCHANGES)] } : {}),
    };
    return { ...command, change };
  }

  private session(state: State): Command {
    const { random } = this;
    const draw = random.below(10);
    const account = this.account(state);
    const known = [...state.sessions.keys()];
    const tokenDigest = known.length === 0 ? 'unknown' : random.pick(known);
    if (draw < 5) {
      this.tokens += 1;
      const step = random.chance(50) ? { totpStep: random.between(1, 5_000) } : {};
      return { type: 'OpenSession', account, tokenDigest: `t${this.tokens}`, ...step };
    }
    if (draw < 7) return { type: 'TouchSession', tokenDigest };
    return draw < 9 ? { type: 'CloseSession', tokenDigest } : { type: 'ExpireSessions' };
  }
}

/** The tick of an instant. */
export function tickOf(at: number): Tick {
  return Math.floor(at / SECOND_MS) as Tick;
}
