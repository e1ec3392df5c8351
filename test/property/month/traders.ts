import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import { type Paise, type Price, price, type Quantity, quantity, ZERO_PRICE } from '../../../src/base/money.ts';
import type { Random } from '../../../src/base/random.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import type { Account, Position } from '../../../src/core/account.ts';
import type { Command, PlaceOrder } from '../../../src/core/command.ts';
import { type Instrument, isDerivative } from '../../../src/core/instrument.ts';
import { type OrderTerms, type Product, remaining } from '../../../src/core/order.ts';
import { netQuantity } from '../../../src/core/position.ts';
import type { State } from '../../../src/core/state.ts';
import type { ExchangeMonth } from './exchange-month.ts';

export const USERS = 50;

/** Registers the users; each has money, every second one shares as well. */
export function opening(exchange: ExchangeMonth, at: EpochMs): Command[] {
  const [first] = exchange.shares(at);
  return Array.from({ length: USERS }, (_, index) => index as AccountId).flatMap((account): Command[] => {
    const userId = `USER${account}`;
    const names = { userId, name: userId, email: `${userId}@example.org`, sealedCredentials: 'sealed' };
    const commands: Command[] = [
      { ...names, type: 'RegisterUser', usesTotp: false, demo: false },
      { type: 'DepositCash', account, amount: ((1 + (account % 5)) * 5_00_000_00) as Paise, opening: true },
    ];
    if (account % 2 === 0 && first !== undefined) {
      const cost = 10_00_000 as Paise;
      commands.push({ type: 'CreditHolding', account, instrument: first.id, quantity: quantity(40), cost });
    }
    return commands;
  });
}

/** The prices and positions that a trader sees when he decides. */
export interface Scene {
  readonly random: Random;
  readonly exchange: ExchangeMonth;
  readonly state: State;
  readonly account: Account;
  readonly at: EpochMs;
  readonly shares: readonly Instrument[];
  readonly contracts: readonly Instrument[];
}

/** A command that a trader may send now. Many are refused: that is a part of the month. */
export function nextCommand(scene: Scene): Command {
  const { random } = scene;
  const roll = random.below(100);
  if (roll < 12) return amendment(scene) ?? placement(scene);
  if (roll < 40) return exit(scene) ?? placement(scene);
  if (roll < 46) return conversion(scene) ?? placement(scene);
  if (roll < 48) return { type: 'DepositCash', account: scene.account.id, amount: 25_000_00 as Paise, opening: false };
  return placement(scene);
}

function placement(scene: Scene): PlaceOrder {
  const { random } = scene;
  const shares = random.chance(35);
  const instrument = random.pick(shares ? scene.shares : scene.contracts);
  const product = isDerivative(instrument)
    ? random.pick(['M', 'M', 'I'] as const)
    : random.pick(['C', 'I', 'I'] as const);
  const lots = isDerivative(instrument) ? random.between(1, 3) : random.between(1, 60);
  return order(scene, instrument, product, random.pick(['B', 'S'] as const), quantity(lots * instrument.lot));
}

function order(
  { account, ...scene }: Scene,
  instrument: Instrument,
  product: Product,
  side: 'B' | 'S',
  units: Quantity,
): PlaceOrder {
  const terms = termsOf(scene, instrument, side, units);
  return { type: 'PlaceOrder', account: account.id, instrument: instrument.id, side, product, terms, remarks: '' };
}

function termsOf(
  { random, exchange: { market }, at }: Omit<Scene, 'account'>,
  instrument: Instrument,
  side: 'B' | 'S',
  units: Quantity,
): OrderTerms {
  const retention = random.chance(5) ? 'IOC' : 'DAY';
  const none = { quantity: units, price: ZERO_PRICE, trigger: ZERO_PRICE };
  if (random.chance(50)) return { ...none, priceType: 'MKT', retention };
  const { price: last } = market.lastPrint(instrument.id, market.tickAt(at));
  const away = random.between(-20, 60) / 1_000;
  const limit = onTick(last * (side === 'B' ? 1 - away : 1 + away), instrument.tick);
  if (random.chance(15)) {
    const trigger = onTick(last * (side === 'B' ? 1.01 : 0.99), instrument.tick);
    return { ...none, priceType: 'SL-LMT', retention: 'DAY', trigger, price: trigger };
  }
  return { ...none, priceType: 'LMT', retention, price: limit };
}

function onTick(wanted: number, tick: Price): Price {
  return price(Math.max(1, Math.round(wanted / tick)) * tick);
}

/** Brings one of the trader's positions nearer to flat, or through it. */
function exit(scene: Scene): Command | undefined {
  const open = [...scene.account.positions.values()].filter((row) => netQuantity(row) !== 0 && row.product !== 'C');
  if (open.length === 0) return undefined;
  const row: Position = scene.random.pick(open);
  const instrument = scene.exchange.ports.instruments.get(row.instrument);
  if (instrument === undefined || (isDerivative(instrument) && instrument.expiresAt <= scene.at)) return undefined;
  const net = netQuantity(row);
  const lots = Math.abs(net) / instrument.lot;
  const wanted = scene.random.chance(80) ? lots : scene.random.between(1, lots + 2);
  const units = quantity(Math.max(1, Math.floor(wanted)) * instrument.lot);
  return order(scene, instrument, row.product, net > 0 ? 'S' : 'B', units);
}

function amendment({ random, state, account }: Scene): Command | undefined {
  const recent = account.orders.slice(-6);
  if (recent.length === 0) return undefined;
  const number: OrderNumber = random.pick(recent);
  if (random.chance(50)) return { type: 'CancelOrder', account: account.id, order: number };
  const known = state.orders.get(number);
  if (known === undefined || known.terms.price === 0) return undefined;
  const more = random.chance(50) ? remaining(known) : 0;
  const terms = { ...known.terms, quantity: quantity(known.terms.quantity + more) };
  return { type: 'ModifyOrder', account: account.id, order: number, terms };
}

function conversion({ random, account }: Scene): Command | undefined {
  const rows = [...account.positions.values()].filter((row) => netQuantity(row) !== 0);
  if (rows.length === 0) return undefined;
  const row: Position = random.pick(rows);
  const units = Math.abs(netQuantity(row));
  const carried = row.carriedBuyQuantity + row.carriedSellQuantity > 0 && random.chance(50);
  const derivative = row.kind === 'future' || row.kind === 'option';
  const other: Product = row.product === 'I' ? (derivative ? 'M' : 'C') : 'I';
  return {
    type: 'ConvertPosition',
    account: account.id,
    instrument: row.instrument,
    from: row.product,
    to: other,
    quantity: quantity(units),
    side: netQuantity(row) > 0 ? 'B' : 'S',
    age: carried ? 'carried' : 'day',
  };
}
