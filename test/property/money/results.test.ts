import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, istDay, MINUTE_MS } from '../../../src/base/time.ts';
import type { Account } from '../../../src/core/account.ts';
import { chargedOrders } from '../../../src/core/broker/settlement/converted-charges.ts';
import { contractNote, noteTotals } from '../../../src/core/charges/contract-note.ts';
import { explainRequirement } from '../../../src/core/margin/requirement.ts';
import { roundedParts } from '../../../src/core/margin/rounded-parts.ts';
import type { MarketData } from '../../../src/core/market.ts';
import { limitsOf, positionFigures } from '../../../src/core/query.ts';
import { DayCharges } from '../../../src/views/day/day-charges.ts';
import { DayMoves, dayBooksOf, InstrumentDay, type PointResult } from '../../../src/views/day/day-curve.ts';
import { explainLimit } from '../../../src/views/limit-explained.ts';
import { lastPrice } from '../../../src/views/quote.ts';
import { applyToViews, emptyViews, type Views } from '../../../src/views/views.ts';
import { FIRST_DAY, RELIANCE } from '../../kit/money/listed.ts';
import { RandomCommands, tickOf } from '../../kit/money/random-commands.ts';
import { ScriptedMarket } from '../../kit/money/scripted-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { RULES } from '../../kit/rules.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const USERS = 4;
const COMMANDS = 4_000;
const MODELS = ['aggregate', 'running'] as const;

/** A day of random commands with its views, and the results that each account had as each minute began. */
class Day {
  readonly random = new Random(SEED);
  readonly market = new ScriptedMarket(SEED);
  readonly ports = testPorts({ market: this.market, charges: RULES.charges });
  readonly world = new World(this.ports, FIRST_DAY);
  readonly views: Views = emptyViews();
  readonly accounts: AccountId[] = [];
  /** The market with the part of its figures that last prices need. */
  readonly prices = Object.assign(this.market, { tradingDay: istDay }) as Partial<MarketData> as MarketData;
  private readonly commands = new RandomCommands(this.random, this.market);
  private kept = 0;

  constructor() {
    for (let user = 0; user < USERS; user += 1) {
      const id = this.world.user(`U${user}`, this.random.between(1_000_000_00, 20_000_000_00));
      this.world.give(id, RELIANCE.id, 100, 100 * 1_000_00);
      this.accounts.push(id);
    }
    this.fold();
  }

  next(): void {
    const { world } = this;
    this.foldAfter(() => world.submit(this.commands.next(world.state, tickOf(world.at))));
  }

  nextDay(): void {
    this.foldAfter(() => this.world.nextDay());
  }

  private foldAfter(run: () => void): void {
    const { world } = this;
    const submit = world.submit;
    world.submit = (command) => {
      const done = submit.call(world, command);
      this.fold();
      return done;
    };
    run();
    world.submit = submit;
  }

  private fold(): void {
    const { world, views } = this;
    for (const { at, events } of world.records.slice(this.kept)) applyToViews(views, world.state, at, events);
    this.kept = world.records.length;
  }
}

function resultOf(day: Day, account: Account, model: (typeof MODELS)[number]): PointResult {
  let realised = ZERO_PAISE;
  let open = ZERO_PAISE;
  for (const row of account.positions.values()) {
    const price = lastPrice(day.views, day.prices, row.instrument, tickOf(day.world.at));
    const amount = model === 'running' ? day.views.lots.openAmountOf(account.id, row) : undefined;
    const figures = positionFigures(row, price, amount);
    realised = addPaise(realised, figures.realised);
    open = addPaise(open, figures.countedOpen);
  }
  return { realised, open };
}

/** The points of a curve, worked out in the smallest steps. */
function curveOf(day: Day, account: Account, avgModel: (typeof MODELS)[number], times: readonly EpochMs[]) {
  const { views, prices: market, world } = day;
  const books = dayBooksOf(views, account, world.state.day, world.at);
  const moves = new DayMoves(books);
  while (!moves.take(7));
  const points = Array.from({ length: times.length + 1 }, () => ({ realised: ZERO_PAISE, open: ZERO_PAISE }));
  const add = (point: number, { realised, open }: PointResult): void => {
    const sum = points[point];
    assert.ok(sum);
    sum.realised = addPaise(sum.realised, realised);
    sum.open = addPaise(sum.open, open);
  };
  for (const instrument of new Set(books.rows.map((row) => row.instrument))) {
    const run = new InstrumentDay({ views, market, avgModel }, books, instrument, moves.of(instrument));
    for (const [point, time] of times.entries()) {
      while (!run.moveTo(time, 5));
      add(point, run.before(time));
    }
    while (!run.moveTo(Number.POSITIVE_INFINITY as EpochMs, 5));
    add(times.length, run.last());
  }
  return points;
}

test('over two days of random trading curves go through the results of each minute, and end at those of now', () => {
  const day = new Day();
  const { world } = day;
  const seen = { converted: 0, carried: 0, traded: 0 };
  for (let round = 0; round < 2; round += 1) {
    const times: EpochMs[] = [];
    const live = MODELS.map(() => day.accounts.map((): PointResult[] => []));
    let minute = Math.ceil(world.at / MINUTE_MS) * MINUTE_MS;
    for (let done = 0; done < COMMANDS / 2; done += 1) {
      const at = (world.at + day.random.below(700)) as EpochMs;
      if (at >= minute) {
        world.at = (minute - 1) as EpochMs;
        times.push(minute as EpochMs);
        for (const [index, model] of MODELS.entries()) {
          for (const id of day.accounts) live[index]?.[id]?.push(resultOf(day, world.account(id), model));
        }
        minute += MINUTE_MS;
      }
      world.at = at;
      day.next();
    }
    for (const id of day.accounts) {
      const account = world.account(id);
      seen.converted += day.views.conversions.conversionsOf(id).length;
      seen.traded += day.views.trades.fillsOf(id).length;
      for (const row of account.positions.values()) seen.carried += row.carriedBuyQuantity + row.carriedSellQuantity;
      for (const [index, model] of MODELS.entries()) {
        const points = curveOf(day, account, model, times);
        assert.deepEqual(points.slice(0, -1), live[index]?.[id], `seed ${SEED}, ${account.userId}, ${model}`);
        assert.deepEqual(points.at(-1), resultOf(day, account, model), `seed ${SEED}, ${account.userId}, ${model}`);
      }
    }
    assert.ok(times.length > 5);
    day.nextDay();
  }
  assert.ok(seen.converted > 5 && seen.carried > 0 && seen.traded > 100, JSON.stringify(seen));
});

test('over random trading the entries of every figure of funds sum to it, and margins are made of their parts', () => {
  const day = new Day();
  const { world, views } = day;
  const seen = { margins: 0, entries: 0 };
  for (let done = 1; done <= COMMANDS; done += 1) {
    world.at = (world.at + day.random.below(700)) as EpochMs;
    if (done % (COMMANDS / 2) === 0) day.nextDay();
    day.next();
    if (done % 20 !== 0) continue;
    const account = world.account(day.accounts[done % USERS] as AccountId);
    const limits = limitsOf(account);
    for (const most of [3, Number.POSITIVE_INFINITY]) {
      const figures = explainLimit(account, views.ledger, String, most);
      for (const { name, amount, entries } of figures) {
        seen.entries += entries.length;
        let sum = ZERO_PAISE;
        for (const entry of entries) sum = addPaise(sum, entry.amount);
        assert.equal(sum, amount, `seed ${SEED}, ${done}: ${name}`);
      }
      const named = new Map(figures.map(({ name, amount }): [string, Paise] => [name, amount]));
      assert.deepEqual(
        ['cash', 'payin', 'collateral', 'span', 'expo', 'premium', 'marginused', 'totalMargin', 'availableMargin'].map(
          (name) => named.get(name),
        ),
        [
          limits.cash,
          limits.payin,
          limits.collateral,
          limits.span,
          limits.exposure,
          limits.premium,
          limits.marginUsed,
          limits.totalMargin,
          limits.availableMargin,
        ],
      );
    }
    for (const portfolio of account.portfolios.values()) {
      const explained = explainRequirement(world.portsNow(), portfolio);
      if (explained === undefined) continue;
      const { parts } = portfolio;
      assert.deepEqual(
        [explained.span, explained.exposure, explained.premium],
        [parts.span, parts.exposure, parts.premium],
      );
      const { scan, calendar, shortMinimum, optionValue } = roundedParts(explained.margin, parts.span);
      const charged = Math.max(0, Math.max(scan + calendar, shortMinimum) - optionValue);
      if (parts.span > 0) assert.equal(charged, parts.span, `seed ${SEED}, ${done}`);
      if (parts.span > 0) seen.margins += 1;
    }
  }
  assert.ok(seen.margins > 50 && seen.entries > 1_000, JSON.stringify(seen));
});

test('charges that follow the trades one by one are those of the contract note of the same moment', () => {
  const day = new Day();
  const { world, views } = day;
  const charges = new DayCharges();
  let checked = 0;
  for (let done = 1; done <= COMMANDS; done += 1) {
    world.at = (world.at + day.random.below(700)) as EpochMs;
    if (done % (COMMANDS / 2) === 0) day.nextDay();
    day.next();
    if (!day.random.chance(5)) continue;
    const { state } = world;
    const rates = RULES.charges.on(state.day);
    assert.ok(rates);
    for (const id of day.accounts) {
      const account = world.account(id);
      while (!charges.follow({ state, trades: views.trades, charges: RULES.charges }, account, 3));
      const { exercises, physicalDeliveries: deliveries } = account;
      const note = contractNote(rates, { orders: chargedOrders(state, account), exercises, deliveries });
      const totals = noteTotals(note);
      assert.deepEqual(charges.totals({ state, charges: RULES.charges }, account), totals, `seed ${SEED}, ${done}`);
      if (totals.total > 0) checked += 1;
    }
  }
  assert.ok(checked > 100, `${checked} notes`);
});
