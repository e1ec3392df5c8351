import { formatRupees } from '../../../src/base/decimal.ts';
import { type Price, price } from '../../../src/base/money.ts';
import type { Random } from '../../../src/base/random.ts';
import { civilDate, DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, MONTHS, twoDigits } from '../../../src/base/time.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Order } from '../../../src/core/order.ts';
import { INTERVALS } from '../../../src/gateway/endpoints/market/time-price-series.ts';
import { formatT1 } from '../../../src/gateway/fields/times.ts';
import type { FuzzUser, FuzzWorld } from './fuzz-world.ts';

const SEARCHES = [
  'RELIANCE',
  'NIFTY',
  'nifty 24000 ce',
  'IDEA',
  'M&M',
  'BANK',
  'TATA MOTORS',
  'ITC FUT',
  'zzzz',
  '29DEC26',
];
const REMARKS = [
  '',
  'first trade',
  'x'.repeat(256),
  '\u092d\u093e\u0930\u0924 \ud83d\ude00',
  '"quoted" \\ and <b>',
  '\t\n\u0000',
];
const MOST_DAYS = { intraday: 3, daily: 40 };

/** One consistent request in the making: the instrument, the order and the terms that its fields speak of. */
export class Draft {
  readonly instrument: Instrument;
  private readonly world: FuzzWorld;
  private readonly random: Random;
  private readonly user: FuzzUser;
  private readonly order: Order | undefined;
  private readonly priceType: string;
  private readonly side: 'B' | 'S';
  private readonly limit: Price;
  private readonly range: { readonly interval: string; readonly from: EpochMs; readonly to: EpochMs };

  constructor(world: FuzzWorld, random: Random, user: FuzzUser) {
    this.world = world;
    this.random = random;
    this.user = user;
    const waited = random.chance(20) ? this.waitedFor() : undefined;
    this.order = waited ? undefined : this.someOrder();
    const own = this.order && world.deps.instruments.get(this.order.instrument);
    this.instrument = waited ?? own ?? random.pick(world.instruments);
    this.priceType = random.pick(['MKT', 'LMT', 'LMT', 'SL-LMT', 'SL-MKT']);
    this.side = random.pick(['B', 'S']);
    this.limit = this.nearPrice();
    this.range = this.someRange();
  }

  /** A draft of the same user on something else. */
  another(): Draft {
    return new Draft(this.world, this.random, this.user);
  }

  /**
   * The text of a field by its name; `undefined` for a name that nothing is known about. Fields that bear on each other
   * agree, so that a request without faults comes through to the engine.
   */
  valueOf(name: string): string | undefined {
    const { random, user, instrument } = this;
    switch (name) {
      case 'userId':
        return user.plain.userId;
      case 'password':
        return user.plain.password;
      case 'vendorCode':
        return user.plain.vendorCode;
      case 'apiKey':
        return user.plain.apiKey;
      case 'TOTP':
        return '123456';
      case 'exchange':
        return instrument.exchange;
      case 'tradingSymbol':
        return this.symbol();
      case 'stext':
        return random.pick(SEARCHES);
      case 'remarks':
        return `${user.marker}${random.pick(REMARKS)}`.slice(0, 256).replace(/[\ud800-\udbff]$/, '');
      case 'alertId':
        return this.someAlert();
      case 'idempotencyKey':
        return random.pick(['k', 'first-try', '~'.repeat(128)]);
      case 'name':
        return random.pick(['Banks', 'banks', 'a b', '\u092d\u093e\u0930\u0924 \ud83d\ude00', 'x'.repeat(64)]);
      case 'inst_name':
        return 'OPTIDX';
      case 'strike_price':
        return '0';
      default:
        return this.termOf(name) ?? this.orderFieldOf(name) ?? this.rangeFieldOf(name) ?? this.gttFieldOf(name);
    }
  }

  private termOf(name: string): string | undefined {
    const { random, priceType, limit, instrument } = this;
    switch (name) {
      case 'priceType':
        return priceType;
      case 'retention':
        return priceType.startsWith('SL') || random.chance(80) ? 'DAY' : 'IOC';
      case 'transactionType':
        return this.side;
      case 'price':
        return priceType.endsWith('MKT') ? '0' : formatRupees(limit);
      case 'triggerPrice':
        return priceType.startsWith('SL') ? this.trigger() : '0';
      case 'quantity':
        return String(instrument.lot * random.between(1, 4));
      case 'lot_size':
        return String(instrument.lot);
      case 'mkt_protection':
        return random.pick(['1', '0.5', '5', '20', '0.0001']);
      default:
        return undefined;
    }
  }

  private orderFieldOf(name: string): string | undefined {
    const { random, order, instrument } = this;
    switch (name) {
      case 'orderNumber':
        return String(order?.number ?? 26112099999999);
      case 'strategyId':
      case 'deviceId':
        return random.pick(['mean-reversion.2', 'a:1', 'pi_4']);
      case 'product':
      case 'Product':
        return (
          order?.product ?? (instrument.kind === 'equity' ? random.pick(['C', 'I', 'M']) : random.pick(['M', 'I']))
        );
      case 'previousProduct':
        return random.pick(['C', 'M', 'I']);
      case 'msgFlag':
        return String(random.between(1, 4));
      default:
        return undefined;
    }
  }

  private gttFieldOf(name: string): string | undefined {
    const { random } = this;
    switch (name) {
      case 'GTTid':
        return this.someGtt();
      case 'validity':
        return 'GTT';
      case 'value':
        return this.awayFromLast(random.between(2, 60));
      case 'value2':
        return this.awayFromLast(-random.between(2, 60));
      default:
        return undefined;
    }
  }

  /** A price some thousandths above or below the last one. */
  private awayFromLast(thousandths: number): string {
    const { deps, now } = this.world;
    const { id, tick } = this.instrument;
    const last = deps.market.lastPrint(id, deps.market.tickAt(now)).price;
    return formatRupees(price(Math.max(1, Math.round((last * (1 + thousandths / 1_000)) / tick)) * tick));
  }

  /** A GTT of the user, an active one in the instrument of the draft if there is one. */
  private someGtt(): string {
    const own = this.world.live.state.gtts.of(this.user.account);
    const here = own.filter(({ instrument }) => instrument === this.instrument.id);
    const waiting = here.filter(({ status }) => status === 'Active');
    const some = [waiting, here, own].find(({ length }) => length > 0) ?? [];
    return String(some.length === 0 ? 26112090000001 : this.random.pick(some).number);
  }

  /** The instrument of a GTT of the user that is active, if there is one. */
  private waitedFor(): Instrument | undefined {
    const own = this.world.live.state.gtts.of(this.user.account).filter(({ status }) => status === 'Active');
    if (own.length === 0) return undefined;
    return this.world.deps.instruments.get(this.random.pick(own).instrument);
  }

  /** The number of a GTT of another user, if there is one. */
  private othersGtt(): string {
    const others = this.world.users.filter(({ account }) => account !== this.user.account);
    const numbers = others.flatMap(({ account }) => this.world.live.state.gtts.of(account).slice(-3));
    return numbers.length === 0 ? '1' : String(this.random.pick(numbers).number);
  }

  private rangeFieldOf(name: string): string | undefined {
    const { random, instrument } = this;
    switch (name) {
      case 'startTime':
        return formatT1(this.range.from);
      case 'endTime':
        return formatT1(this.range.to);
      case 'interval':
        return this.range.interval;
      case 'symbol':
        return instrument.symbol;
      case 'count':
        return String(random.between(1, 30));
      case 'expiry':
        return 'expiryDay' in instrument ? expiryText(instrument.expiryDay, random.chance(50)) : '29DEC26';
      case 'strikePrice':
        return instrument.kind === 'option' ? formatRupees(instrument.strike) : '24000';
      default:
        return undefined;
    }
  }

  /** Texts at the edges of what an exchange takes: of ticks, lots, freeze quantities, counts and lengths. */
  edgeOf(name: string): string {
    const { random, instrument, limit } = this;
    const { lot, freeze, tick } = instrument;
    if (/price|^value/i.test(name)) {
      const { lower, upper } = this.world.deps.market.band(
        instrument.id,
        this.world.deps.market.tickAt(this.world.now),
      );
      const prices = [limit + 1, limit + tick - 1, lower, lower - tick, upper, upper + tick, 1, 99_999_999_999];
      return formatRupees(Math.max(1, random.pick(prices)) as Price);
    }
    if (/quantity/i.test(name)) {
      return String(random.pick([1, lot - 1, lot + 1, freeze, freeze + 1, freeze + lot, lot * 10_000, 999_999_999]));
    }
    if (name === 'count') return random.pick(['0', '30', '31', '999999999']);
    if (name === 'orderNumber') return this.othersOrder();
    if (name === 'GTTid') return this.othersGtt();
    return random.pick(['0', '-1', '1', '5', '999999999', '1000000000', '9007199254740992', '0.0001', '0.00001']);
  }

  private symbol(): string {
    const { tradingSymbol } = this.instrument;
    if (this.random.chance(90)) return tradingSymbol;
    return this.random.chance(50) ? tradingSymbol.toLowerCase() : encodeURIComponent(tradingSymbol);
  }

  /** A price some ticks from the last one. */
  private nearPrice(): Price {
    const { deps, now } = this.world;
    const { id, tick } = this.instrument;
    const last = deps.market.lastPrint(id, deps.market.tickAt(now)).price;
    const steps = Math.round(last / tick) + this.random.between(-20, 20);
    return price(Math.max(1, steps) * tick);
  }

  private trigger(): string {
    const { limit, side, instrument } = this;
    return formatRupees(price(Math.max(instrument.tick, limit + (side === 'B' ? -1 : 1) * instrument.tick)));
  }

  /** An alert of the user, most often. */
  private someAlert(): string {
    const alerts = this.world.live.state.alerts.of(this.user.account);
    return alerts.length === 0 ? '1' : String(this.random.pick(alerts).number);
  }

  private someOrder(): Order | undefined {
    const { state } = this.world.live;
    const numbers = state.accounts.at(this.user.account)?.orders ?? [];
    if (numbers.length === 0 || this.random.chance(30)) return undefined;
    const recent = numbers.slice(-12);
    return state.orders.get(this.random.pick(recent));
  }

  /** The number of an order of another user, if there is one. */
  private othersOrder(): string {
    const others = this.world.users.filter(({ account }) => account !== this.user.account);
    const numbers = others.flatMap(({ account }) => this.world.live.state.accounts.at(account)?.orders.slice(-3) ?? []);
    return numbers.length === 0 ? '1' : String(this.random.pick(numbers));
  }

  private someRange(): Draft['range'] {
    const { random, world } = this;
    const interval = random.pick(INTERVALS);
    const days = interval === '1d' ? MOST_DAYS.daily : MOST_DAYS.intraday;
    const to = (world.now - random.below(5) * DAY_MS) as EpochMs;
    const length = interval === '1d' ? random.between(1, days) * DAY_MS : random.between(1, days * 24) * HOUR_MS;
    return { interval, from: (to - length - MINUTE_MS) as EpochMs, to };
  }
}

function expiryText(day: Parameters<typeof civilDate>[0], long: boolean): string {
  const { year, month, day: dayOfMonth } = civilDate(day);
  return `${twoDigits(dayOfMonth)}${MONTHS[month - 1]}${long ? year : String(year).slice(2)}`;
}
