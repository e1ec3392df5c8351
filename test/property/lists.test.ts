import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../../src/base/assert.ts';
import type { AccountId, AlertNumber, InstrumentId, Tick } from '../../src/base/ids.ts';
import type { Price } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import { DAY_MS, type EpochMs, type IstDay, istInstant, SECOND_MS } from '../../src/base/time.ts';
import type { Command } from '../../src/core/command.ts';
import type { Event } from '../../src/core/event.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { watchlistsOf } from '../../src/core/lists/watchlists.ts';
import type { Reach } from '../../src/core/market.ts';
import { Engine } from '../../src/engine/engine.ts';
import { LIVE, type Live } from '../../src/engine/live.ts';
import { decodeGroup } from '../../src/journal/codec.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { recover } from '../../src/journal/recovery.ts';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../kit/journal/small-market.ts';
import { clientCommand, type Memory, opening, USERS } from '../kit/journal/trading.ts';
import { testPorts } from '../kit/ports.ts';
import { assertSameState } from '../kit/same-state.ts';
import { unasked } from '../kit/unasked.ts';

/*
 * Random watchlists and alerts among random trading, beside a model that keeps every wish in a plain list and looks at
 * every price of every second. The service looks only where a price can come to an alert, and is restarted now and
 * then.
 */

const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);
const SECONDS = 150;
const START = istInstant(20_500 as IstDay, 36_000_000);

/** A market that says how far it goes in the next seconds. */
class ReachingMarket extends SmallMarket {
  reach(id: InstrumentId, from: Tick): Reach {
    const until = (from + 7) as Tick;
    const prices: number[] = [];
    for (let tick = from; tick <= until; tick = (tick + 1) as Tick) {
      const { bids, asks } = this.depth(id, tick);
      prices.push(this.lastPrint(id, tick).price, ...[...bids, ...asks].map(({ price }) => price));
    }
    return { lowest: Math.min(...prices), highest: Math.max(...prices), until };
  }
}

const PORTS = testPorts({ instruments: SMALL_INSTRUMENTS, market: new ReachingMarket() });

interface NaiveAlert {
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly isAbove: boolean;
  readonly price: number;
  end: string;
}

/** The model: it knows users' wishes, prices and nothing else. */
class Model {
  readonly alerts = new Map<number, NaiveAlert>();
  readonly lists = new Map<AccountId, Map<string, readonly InstrumentId[]>>();
  private readonly own = new Map<InstrumentId, { readonly tick: number; readonly price: number }>();

  see(instrument: InstrumentId, price: number): void {
    for (const alert of this.alerts.values()) {
      if (alert.instrument !== instrument || alert.end !== '') continue;
      if (alert.isAbove ? price >= alert.price : price <= alert.price) alert.end = `Fired ${price}`;
    }
  }

  /** The last price of an instrument in a second. */
  look(instrument: InstrumentId, tick: Tick): void {
    const print = PORTS.market.lastPrint(instrument, tick);
    const own = this.own.get(instrument);
    this.see(instrument, own !== undefined && own.tick >= print.tick ? own.price : print.price);
  }

  /** A record as it is decided, in the second of its market. */
  take(command: Command, events: readonly Event[], seq: number, tick: Tick): void {
    for (const event of events) {
      // A trade on which the market came to a resting order is not an own trade: the market printed it.
      if (event.type !== 'Traded' || (event.aggressor === 'B' ? event.buy : event.sell) === undefined) continue;
      this.own.set(event.instrument, { tick: event.tick, price: event.price });
      this.see(event.instrument, event.price);
    }
    const isDone = events.length > 0;
    if (command.type === 'PlaceAlert' && isDone) {
      const { account, instrument, way, price } = command;
      this.alerts.set(seq, { account, instrument, isAbove: way === 'Rising', price, end: '' });
    } else if (command.type === 'CancelAlert' && isDone) {
      must(this.alerts.get(command.alert), 'a cancelled alert was placed').end = 'Cancelled';
    } else if (command.type === 'SaveWatchlist' && isDone) {
      const lists = this.lists.get(command.account) ?? new Map<string, readonly InstrumentId[]>();
      this.lists.set(command.account, lists.set(command.name, command.instruments));
    } else if (command.type === 'DeleteWatchlist' && isDone) {
      this.lists.get(command.account)?.delete(command.name);
    }
    if ('instrument' in command) this.look(command.instrument, tick);
  }
}

/** The service, which may end and start again. */
class Service {
  readonly journal = new MemoryJournal();
  readonly model = new Model();
  now = START;
  live = LIVE.empty();
  moves = 0;
  private engine = this.start();

  private start(): Engine {
    const failStop = (error: Error): never => {
      throw error;
    };
    const { live, journal, model } = this;
    const step = live.step.bind(live);
    live.step = (ports, sequenced) => {
      const done = step(ports, sequenced);
      const { command, seq } = sequenced;
      const isMove = command.type === 'MoveMarket';
      if (isMove) this.moves += 1;
      model.take(command, done.events, seq, isMove ? command.tick : this.tick());
      return done;
    };
    return new Engine({ live, journal, ports: PORTS, clock: () => this.now, elapsed: () => 0, failStop });
  }

  tick(): Tick {
    return PORTS.market.tickAt(this.now);
  }

  submit(command: Command): ReturnType<Engine['submit']> {
    return this.engine.submit(unasked(command));
  }

  /** A second passes, and the model looks at every price of it. */
  pass(): void {
    this.now = (this.now + SECOND_MS) as EpochMs;
    this.engine.passSecond();
    for (const { id } of EQUITIES) this.model.look(id, this.tick());
  }

  async restart(viaSnapshot: boolean): Promise<void> {
    await this.engine.drain();
    const before = this.live;
    this.live = viaSnapshot ? LIVE.load([...before.lines()]) : recover(this.journal, undefined, LIVE).replica;
    assertSameState(before.state, this.live.state);
    this.engine = this.start();
    this.engine.doAllPresent();
    for (const { id } of EQUITIES) this.model.look(id, this.tick());
  }

  async end(): Promise<void> {
    await this.engine.drain();
  }
}

function wish(random: Random, { live: { state }, now }: Service, memory: Memory, number: number): Command {
  const account = random.below(USERS) as AccountId;
  const { id: instrument } = random.pick(EQUITIES);
  const draw = random.below(100);
  if (draw < 40) {
    const { price: last } = PORTS.market.lastPrint(instrument, PORTS.market.tickAt(now));
    const price = (last + random.between(-60, 60)) as Price;
    return { type: 'PlaceAlert', account, instrument, way: random.pick(['Rising', 'Falling']), price, remarks: '' };
  }
  if (draw < 50) {
    const active = [...state.alerts.values()].filter(({ end }) => end === undefined || random.chance(5));
    const alert = active.length > 0 ? random.pick(active).number : (1 as AlertNumber);
    return { type: 'CancelAlert', account, alert };
  }
  const name = `list ${random.below(4)}`;
  if (draw < 60) {
    const instruments = EQUITIES.filter(() => random.chance(50)).map(({ id }) => id);
    return { type: 'SaveWatchlist', account, name, instruments };
  }
  return draw < 65 ? { type: 'DeleteWatchlist', account, name } : clientCommand(random, memory, `order ${number}`);
}

/** Throws unless the state has the alerts and the lists of the model. */
function assertLike({ state }: Live, { alerts, lists }: Model, place: string): void {
  for (const { number, end } of state.alerts.values()) {
    const shown = end === undefined ? '' : end.price === undefined ? end.how : `${end.how} ${end.price}`;
    assert.equal(shown, alerts.get(number)?.end, `${place}: alert ${number}`);
  }
  for (const [number, alert] of alerts) {
    if (alert.end === '')
      assert.ok(state.alerts.get(alert.account, number as AlertNumber), `${place}: ${number} is kept`);
  }
  for (let account = 0 as AccountId; account < USERS; account = (account + 1) as AccountId) {
    const shown = watchlistsOf(state, account).map(({ name, instruments }) => [name, instruments]);
    assert.deepEqual(shown, [...(lists.get(account) ?? [])], `${place}: the lists of ${account}`);
  }
}

async function lived(seed: number): Promise<Service> {
  const random = new Random(seed);
  const service = new Service();
  const memory: Memory = { orders: [], sessions: [] };
  for (const command of opening()) await service.submit(command);
  for (let second = 0; second < SECONDS; second += 1) {
    service.pass();
    for (let count = random.pick([0, 0, 1, 1, 4]); count > 0; count -= 1) {
      const reply = await service.submit(wish(random, service, memory, second));
      if (reply.type === 'OrderPlaced') {
        const order = must(service.live.state.orders.get(reply.order), 'a placed order is kept');
        memory.orders.push({ number: reply.order, account: order.account });
      }
    }
    assertLike(service.live, service.model, `seed ${seed}, second ${second}`);
    if (random.chance(4)) await service.restart(random.chance(50));
  }
  checkInvariants(service.live.state, PORTS);
  return service;
}

describe('watchlists and alerts', () => {
  for (const seed of SEEDS) {
    it(`are as a plain list of wishes would be, over restarts: seed ${seed}`, async () => {
      const service = await lived(seed);
      await service.end();
      const ends = [...service.model.alerts.values()].map(({ end }) => end.split(' ', 1)[0]);
      for (const how of ['', 'Fired']) assert.ok(ends.includes(how), `seed ${seed}: some alert is "${how}"`);
      const again = LIVE.empty();
      for (const { seq, at, command, events } of [...service.journal.groups(0)].flatMap(decodeGroup)) {
        const decided = again.step(PORTS, { seq, at, command });
        assert.deepEqual(JSON.parse(JSON.stringify(decided.events)), events, `seed ${seed}, record ${seq}`);
      }
      assert.equal(again.hash(), service.live.hash());
    });
  }

  it('expire after a year, and not a day before', async () => {
    const service = new Service();
    for (const command of opening()) await service.submit(command);
    const alert = { type: 'PlaceAlert', account: 0 as AccountId, way: 'Rising', remarks: '' } as const;
    await service.submit({ ...alert, instrument: must(EQUITIES[0], 'a share').id, price: 900_00 as Price });
    const shown = () => Array.from(service.live.state.alerts.values(), ({ end }) => end?.how);
    service.now = (START + 365 * DAY_MS) as EpochMs;
    service.pass();
    assert.deepEqual(shown(), [undefined]);
    service.now = (START + 366 * DAY_MS) as EpochMs;
    service.pass();
    assert.deepEqual(shown(), ['Expired']);
    checkInvariants(service.live.state, PORTS);
    await service.end();
  });

  it('ask nothing of the market for an alert that no price is near', async () => {
    const service = new Service();
    for (const command of opening()) await service.submit(command);
    const alert = { type: 'PlaceAlert', account: 0 as AccountId, way: 'Rising', remarks: '' } as const;
    for (const { id } of EQUITIES) await service.submit({ ...alert, instrument: id, price: 150_00 as Price });
    for (let second = 0; second < 60; second += 1) service.pass();
    assert.equal(service.moves, 0);
    await service.submit({
      ...alert,
      way: 'Falling',
      instrument: must(EQUITIES[0], 'a share').id,
      price: 99_80 as Price,
    });
    for (let second = 0; second < 60; second += 1) service.pass();
    assert.ok(service.moves > 0, 'an alert near the prices is looked at');
    await service.end();
  });
});
