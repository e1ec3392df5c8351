import assert from 'node:assert/strict';
import test from 'node:test';
import { FIRST_DAY, NIFTY_FUTURE, RELIANCE } from '../../test/kit/money/listed.ts';
import { RandomCommands, tickOf } from '../../test/kit/money/random-commands.ts';
import { ScriptedMarket } from '../../test/kit/money/scripted-market.ts';
import { StillMarket } from '../../test/kit/money/still-market.ts';
import { World } from '../../test/kit/money/world.ts';
import { testPorts } from '../../test/kit/ports.ts';
import type { AccountId, InstrumentId } from '../base/ids.ts';
import { price, quantity } from '../base/money.ts';
import { Random } from '../base/random.ts';
import type { EpochMs } from '../base/time.ts';
import { type Position, positionKey } from '../core/account.ts';
import type { ConvertPosition } from '../core/command.ts';
import type { Event, PositionConverted } from '../core/event.ts';
import type { Product, Side } from '../core/order.ts';
import { buyAmount, netQuantity, openAmount, sellAmount } from '../core/position.ts';
import { positionFigures } from '../core/query.ts';
import { OpenLots } from './open-lots.ts';

/** A world in which a test trades at prices that it names, with the lots beside it. Prices in rupees. */
class Lots {
  readonly market = new StillMarket();
  readonly world = new World(testPorts({ market: this.market }), FIRST_DAY);
  readonly by = this.world.user('AB1234', 10_000_000_000_00);
  lots = new OpenLots();
  /** Records that the lots have taken: the day's beginning changes no lot. */
  private seen = this.world.records.length;

  trade(of: InstrumentId, side: Side, units: number, rupees: number, product: Product = 'I'): void {
    const at = Math.round(rupees * 100);
    this.market.quotes.set(of, { bid: at, ask: at, last: at });
    this.world.place({ by: this.by, of, side, units, at, product });
    this.follow();
  }

  /** The day ends with this close. */
  nextDay(of: InstrumentId, close: number): void {
    this.market.quotes.set(of, { last: close * 100 });
    this.world.nextDay();
    this.follow();
  }

  convert(of: InstrumentId, words: Pick<ConvertPosition, 'from' | 'to' | 'age'> & { units: number }): void {
    const { units, ...rest } = words;
    const more = { account: this.by, instrument: of, side: 'B', quantity: quantity(units) } as const;
    const { reply } = this.world.submit({ type: 'ConvertPosition', ...more, ...rest });
    assert.equal(reply.type, 'PositionConverted', JSON.stringify(reply));
    this.follow();
  }

  /** Net quantity, average, realised, unrealised and both totals of a row by the running model, in rupees. */
  figures(of: InstrumentId, last: number, product: Product = 'I'): number[] {
    const row = this.world.account(this.by).positions.get(positionKey(of, product));
    assert.ok(row);
    const at = price(Math.round(last * 100));
    const figures = positionFigures(row, at, this.lots.openAmountOf(this.by, row));
    const { netQuantity, netAveragePrice, realised, unrealised, totalMtm, totalPnl } = figures;
    const { totalMtm: aggregateMtm, totalPnl: aggregatePnl } = positionFigures(row, at);
    assert.deepEqual([totalMtm, totalPnl], [aggregateMtm, aggregatePnl], 'both models give the same sums');
    return [netQuantity, ...[netAveragePrice, realised, unrealised, totalMtm, totalPnl].map((paise) => paise / 100)];
  }

  private follow(): void {
    const { records, state } = this.world;
    for (const { events } of records.slice(this.seen)) for (const event of events) this.lots.apply(event, state);
    this.seen = records.length;
  }
}

type Fill = readonly [side: Side, units: number, rupees: number];

const TABLE: readonly (readonly [name: string, fills: readonly Fill[], last: number, figures: readonly number[]])[] = [
  [
    'A',
    [
      ['B', 100, 62.2],
      ['S', 40, 63],
    ],
    63.1,
    [60, 62.2, 32, 54, 86, 86],
  ],
  ['B', [['B', 80, 62.2]], 63.1, [80, 62.2, 0, 72, 72, 72]],
  [
    'C',
    [
      ['S', 65, 120],
      ['B', 65, 90],
      ['S', 130, 95],
    ],
    100,
    [-130, 95, 1950, -650, 1300, 1300],
  ],
  [
    'E',
    [
      ['B', 100, 10],
      ['B', 50, 11],
      ['S', 150, 12],
    ],
    12,
    [0, 0, 250, 0, 250, 250],
  ],
  [
    'F',
    [
      ['B', 65, 100],
      ['S', 195, 110],
    ],
    105,
    [-130, 110, 650, 650, 1300, 1300],
  ],
];

test('the cases of market-rules 5.2 come out in the running model', () => {
  for (const [name, fills, last, figures] of TABLE) {
    const day = new Lots();
    for (const [side, units, rupees] of fills) day.trade(RELIANCE.id, side, units, rupees);
    assert.deepEqual(day.figures(RELIANCE.id, last), figures, name);
  }
});

test('each reduction realises against the average, each addition moves it, and a turn begins a lot at its own price', () => {
  const day = new Lots();
  const steps: readonly (readonly [...Fill, average: number, realised: number])[] = [
    ['B', 100, 10, 10, 0],
    ['S', 50, 12, 10, 100],
    ['B', 50, 20, 15, 100],
    ['S', 120, 18, 18, 400],
    ['S', 20, 24, 21, 400],
    ['B', 10, 20, 21, 410],
    ['B', 30, 21, 0, 410],
    ['S', 40, 30, 30, 410],
  ];
  for (const [side, units, rupees, average, realised] of steps) {
    day.trade(RELIANCE.id, side, units, rupees);
    assert.deepEqual(day.figures(RELIANCE.id, 25).slice(1, 3), [average, realised], `${side} ${units} at ${rupees}`);
  }
});

test('units that are closed one by one round nothing until one is added', () => {
  const day = new Lots();
  day.trade(RELIANCE.id, 'B', 2, 10.05);
  day.trade(RELIANCE.id, 'B', 1, 10.1);
  const averages: number[] = [];
  for (let closed = 0; closed < 2; closed += 1) {
    day.trade(RELIANCE.id, 'S', 1, 10);
    averages.push(day.figures(RELIANCE.id, 10)[1] ?? 0);
  }
  assert.deepEqual(averages, [10.07, 10.07]);
  day.trade(RELIANCE.id, 'B', 1, 10);
  assert.deepEqual(day.figures(RELIANCE.id, 10).slice(1, 3), [10.04, -0.13], '10.07 and 10.00');
});

test('carried units begin at their basis and show what they gained over their cost, as in R5.10', () => {
  const day = new Lots();
  const future = NIFTY_FUTURE.id;
  day.trade(future, 'B', 130, 23_850, 'M');
  day.nextDay(future, 23_900);
  assert.deepEqual(day.figures(future, 23_900, 'M'), [130, 23_900, 0, 0, 0, 6_500]);
  day.trade(future, 'S', 65, 23_950, 'M');
  assert.deepEqual(day.figures(future, 23_940, 'M'), [65, 23_900, 3_250, 2_600, 5_850, 12_350]);
});

test('the chain of daily settlements adds up to the whole gain, as in R5.11', () => {
  const day = new Lots();
  const future = NIFTY_FUTURE.id;
  day.trade(future, 'B', 65, 23_850, 'M');
  const days = [day.figures(future, 23_900, 'M')];
  for (const close of [23_900, 23_960]) {
    day.nextDay(future, close);
    if (close === 23_900) days.push(day.figures(future, 23_960, 'M'));
  }
  day.trade(future, 'S', 65, 23_990, 'M');
  days.push(day.figures(future, 23_990, 'M'));
  assert.deepEqual(
    days.map(([, , realised = 0, unrealised = 0]) => realised + unrealised),
    [3_250, 3_900, 1_950],
  );
  assert.equal(days.at(-1)?.at(-1), 9_100);
});

test('units bought after a carried unit was sold stand at their own price, unlike in the aggregate of R5.12', () => {
  const day = new Lots();
  const future = NIFTY_FUTURE.id;
  day.trade(future, 'B', 65, 23_850, 'M');
  day.nextDay(future, 23_900);
  day.trade(future, 'S', 65, 23_950, 'M');
  day.trade(future, 'B', 65, 23_920, 'M');
  assert.deepEqual(day.figures(future, 23_940, 'M').slice(0, 5), [65, 23_920, 3_250, 1_300, 4_550]);
});

test('units that were never closed are converted at the price at which they move, and realise nothing in either row', () => {
  const day = new Lots();
  const future = NIFTY_FUTURE.id;
  day.trade(future, 'B', 65, 23_850, 'M');
  day.nextDay(future, 23_900);
  day.trade(future, 'B', 65, 23_920.1, 'M');
  day.convert(future, { from: 'M', to: 'I', age: 'day', units: 65 });
  assert.deepEqual(day.figures(future, 23_920, 'M').slice(0, 3), [65, 23_900, 0]);
  assert.deepEqual(day.figures(future, 23_920, 'I').slice(0, 3), [65, 23_920.1, 0]);
});

test('of units that were added after others were closed, those that are converted leave at the average', () => {
  const day = new Lots();
  day.trade(RELIANCE.id, 'B', 100, 10);
  day.trade(RELIANCE.id, 'S', 100, 12);
  day.trade(RELIANCE.id, 'B', 100, 20);
  assert.deepEqual(day.figures(RELIANCE.id, 20).slice(0, 3), [100, 20, 200]);
  day.convert(RELIANCE.id, { from: 'I', to: 'C', age: 'day', units: 50 });
  assert.deepEqual(day.figures(RELIANCE.id, 20).slice(0, 3), [50, 20, -50], '50 left at 15, and stood at 20');
  assert.deepEqual(day.figures(RELIANCE.id, 20, 'C').slice(0, 3), [50, 15, 0]);
  day.trade(RELIANCE.id, 'S', 20, 18, 'C');
  day.convert(RELIANCE.id, { from: 'I', to: 'C', age: 'day', units: 50 });
  assert.deepEqual(day.figures(RELIANCE.id, 20).slice(0, 3), [0, 0, -300]);
  assert.deepEqual(day.figures(RELIANCE.id, 20, 'C').slice(0, 3), [80, 15, 60]);
});

test('a dump has only the lots that the aggregate model does not give', () => {
  const day = new Lots();
  day.trade(RELIANCE.id, 'B', 100, 10);
  day.trade(RELIANCE.id, 'S', 50, 12);
  assert.deepEqual(day.lots.rows(), []);
  day.trade(RELIANCE.id, 'B', 50, 20);
  assert.equal(day.lots.rows().length, 1);
  day.trade(RELIANCE.id, 'S', 100, 20);
  assert.deepEqual(day.lots.rows(), []);
});

/** The open lot of one row, written from the rule alone: the purchases or sales that its average is made of. */
class PlainLot {
  net = 0;
  /** All units of each side of the row, carried ones too. */
  bought = 0;
  sold = 0;
  pieces: { units: bigint; amount: bigint }[] = [];

  fill(units: number, amount: number, met: Map<string, number>): void {
    this.count(units, Math.abs(units));
    const against = Math.sign(units) * Math.sign(this.net) < 0 ? Math.min(Math.abs(units), Math.abs(this.net)) : 0;
    this.close(Math.sign(units) * against);
    const added = Math.abs(units) - against;
    if (added === 0) return;
    if (against > 0) count(met, 'a fill turns a row');
    if (this.units() > Math.abs(this.net)) {
      this.pieces = [{ units: BigInt(Math.abs(this.net)), amount: this.open() }];
      count(met, 'units are added after others were closed');
    }
    const share = halfUp(BigInt(amount) * BigInt(added), BigInt(Math.abs(units)));
    this.pieces.push({ units: BigInt(added), amount: share });
    this.net += Math.sign(units) * added;
  }

  count(direction: number, units: number): void {
    if (direction > 0) this.bought += units;
    else this.sold += units;
  }

  close(units: number): void {
    this.net += units;
    if (this.net === 0) this.pieces = [];
  }

  units(): number {
    return Number(this.pieces.reduce((sum, { units }) => sum + units, 0n));
  }

  open(): bigint {
    if (this.net === 0) return 0n;
    const amount = this.pieces.reduce((sum, piece) => sum + piece.amount, 0n);
    return halfUp(amount * BigInt(Math.abs(this.net)), BigInt(this.units()));
  }
}

function halfUp(product: bigint, by: bigint): bigint {
  return (2n * product + by) / (2n * by);
}

function count(met: Map<string, number>, what: string): void {
  met.set(what, (met.get(what) ?? 0) + 1);
}

/** The lots of all rows by the events of the journal alone. */
class PlainLots {
  readonly met = new Map<string, number>();
  private readonly lots = new Map<string, PlainLot>();
  private readonly marks = new Map<string, number>();

  lot(account: AccountId, instrument: InstrumentId, product: Product): PlainLot {
    const key = `${account} ${positionKey(instrument, product)}`;
    const lot = this.lots.get(key) ?? new PlainLot();
    this.lots.set(key, lot);
    return lot;
  }

  read(event: Event): void {
    if (event.type === 'Traded') {
      const { instrument, price, quantity: units, buy, sell } = event;
      if (buy) this.lot(buy.account, instrument, buy.product).fill(units, units * price, this.met);
      if (sell) this.lot(sell.account, instrument, sell.product).fill(-units, units * price, this.met);
    } else if (event.type === 'PositionSettled') {
      const { account, instrument, product, side, price, quantity: units } = event;
      this.lot(account, instrument, product).fill(side === 'B' ? units : -units, units * price, this.met);
    } else if (event.type === 'PositionConverted') {
      this.convert(event);
    } else if (event.type === 'PositionMarked') {
      this.marks.set(`${event.account} ${positionKey(event.instrument, event.product)}`, event.price);
    } else if (event.type === 'DayRolled') {
      this.carry();
    }
  }

  private convert(event: PositionConverted): void {
    const { account, instrument, from, to, quantity: units, amount } = event;
    const sign = event.side === 'B' ? 1 : -1;
    const source = this.lot(account, instrument, from);
    if (source.units() === (sign > 0 ? source.bought : source.sold)) {
      source.pieces.push({ units: BigInt(-units), amount: BigInt(-amount) });
      count(this.met, 'units of a whole side are converted');
    } else {
      count(this.met, 'units of a later lot are converted');
    }
    source.count(sign, -units);
    source.close(-sign * units);
    this.lot(account, instrument, to).fill(sign * units, amount, this.met);
  }

  private carry(): void {
    for (const [key, lot] of this.lots) {
      const mark = this.marks.get(key);
      if (mark === undefined || lot.net === 0) {
        this.lots.delete(key);
        continue;
      }
      lot.pieces = [{ units: BigInt(Math.abs(lot.net)), amount: BigInt(Math.abs(lot.net) * mark) }];
      Object.assign(lot, { bought: Math.max(0, lot.net), sold: Math.max(0, -lot.net) });
      count(this.met, 'a row is carried');
    }
    this.marks.clear();
  }
}

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const SEEDS = 12;
const COMMANDS = 2_500;
const ROLL_EVERY = 400;

/** Random trading of one seed, with rolls of the day and starts from a dump, beside the plain lots. */
function compareLots(seed: number): Map<string, number> {
  const random = new Random(seed);
  const market = new ScriptedMarket(seed);
  const world = new World(testPorts({ market }), FIRST_DAY);
  const commands = new RandomCommands(random, market);
  for (const user of ['U1', 'U2', 'U3']) world.give(world.user(user, 50_000_000_00), RELIANCE.id, 500, 500_000_00);
  const plain = new PlainLots();
  let lots = new OpenLots();
  let seen = world.records.length;
  for (let number = 0; number < COMMANDS; number += 1) {
    world.at = (world.at + random.pick([0, 0, 300, 1_000])) as EpochMs;
    const command = commands.next(world.state, tickOf(world.at));
    if (number % ROLL_EVERY === ROLL_EVERY - 1) world.nextDay();
    else world.submit(command);
    for (const { events } of world.records.slice(seen)) {
      for (const event of events) {
        lots.apply(event, world.state);
        plain.read(event);
      }
    }
    seen = world.records.length;
    if (random.chance(3)) {
      const rows = JSON.stringify(lots.rows());
      lots = new OpenLots();
      lots.begin(world.state);
      for (const row of JSON.parse(rows)) lots.take(row);
      assert.equal(JSON.stringify(lots.rows()), rows, `seed ${seed}, command ${number}`);
    }
    for (const account of world.state.accounts) {
      for (const row of account.positions.values()) {
        const where = `seed ${seed}, command ${number}: ${account.userId} ${row.instrument} ${row.product}`;
        const open = lots.openAmountOf(account.id, row);
        const expected = plain.lot(account.id, row.instrument, row.product);
        assert.deepEqual([netQuantity(row), BigInt(open ?? openAmount(row))], [expected.net, expected.open()], where);
        checkSums(row, open, random.between(1, 30_000_00), where);
      }
    }
  }
  return plain.met;
}

/** Realised and unrealised are in both models the sales less the purchases and the open units at the last price. */
function checkSums(row: Position, open: ReturnType<OpenLots['openAmountOf']>, last: number, where: string): void {
  const sum = BigInt(sellAmount(row)) - BigInt(buyAmount(row)) + BigInt(netQuantity(row)) * BigInt(last);
  const [aggregate, running] = [positionFigures(row, price(last)), positionFigures(row, price(last), open)];
  for (const { realised, unrealised, totalMtm } of [aggregate, running]) {
    assert.deepEqual([BigInt(realised) + BigInt(unrealised), BigInt(totalMtm)], [sum, sum], where);
  }
  assert.equal(running.totalPnl, aggregate.totalPnl, where);
}

test('the lots of random trading are those of a plain fold, to the paisa, and change no sum', () => {
  const met = new Map<string, number>();
  for (let seed = SEED; seed < SEED + SEEDS; seed += 1) {
    for (const [what, times] of compareLots(seed)) met.set(what, (met.get(what) ?? 0) + times);
  }
  const situations = [
    'a fill turns a row',
    'units are added after others were closed',
    'units of a whole side are converted',
    'units of a later lot are converted',
    'a row is carried',
  ];
  for (const what of situations) assert.ok((met.get(what) ?? 0) > 10, `${what}: ${met.get(what)}`);
});
