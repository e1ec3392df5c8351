import assert from 'node:assert/strict';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, GttNumber, InstrumentId } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { DAY_MS, type EpochMs, HOUR_MS, type IstDay, istDay, istInstant, SECOND_MS } from '../../../src/base/time.ts';
import type { Gtt } from '../../../src/core/broker/gtt/gtt.ts';
import type { AskedLeg } from '../../../src/core/broker/gtt/gtt-commands.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order, PriceType, Product, Side } from '../../../src/core/order.ts';
import type { Refusal } from '../../../src/core/refusals/refusal.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import type { State } from '../../../src/core/state.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../../../src/journal/codec.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { FIRST_DAY, listed, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { STOCK_CONTRACTS } from '../../kit/money/stock-contracts.ts';
import { type OrderWords, placement } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { assertSameState } from '../../kit/same-state.ts';
import { reloaded } from '../../kit/stored-state.ts';
import { unasked } from '../../kit/unasked.ts';

export const ASHA = 0 as AccountId;
export const BHIM = 1 as AccountId;
const CRORE = 1_00_00_000_00;

/** A leg in few words; prices in paise. */
export interface LegWords {
  readonly trigger: number;
  readonly side?: Side;
  readonly units?: number;
  readonly at?: number;
  readonly product?: Product;
  readonly type?: PriceType;
  readonly stop?: number;
}

export function leg(words: LegWords): AskedLeg {
  const { trigger, side = 'B', units = 10, at = 0, product = 'C', type = at > 0 ? 'LMT' : 'MKT', stop = 0 } = words;
  const terms = {
    priceType: type,
    retention: 'DAY',
    quantity: quantity(units),
    price: price(at),
    trigger: price(stop),
  } as const;
  return { side, product, terms, remarks: 'by a GTT', trigger: price(trigger) };
}

/** A service with two users on a market that a story moves, which can be stopped and begun again. */
export class GttService {
  readonly market = new StillMarket();
  readonly ports = testPorts({
    instruments: { get: (id) => STOCK_CONTRACTS.find((one) => one.id === id) ?? listed.get(id) },
    market: this.market,
  });
  journal = new MemoryJournal();
  now: EpochMs = istInstant(FIRST_DAY, 10 * HOUR_MS);
  private live: Live = LIVE.empty();
  private engine: Engine;

  private constructor() {
    this.quote(RELIANCE, 1_000_00);
    for (const contract of STOCK_CONTRACTS) this.quote(contract, contract.kind === 'future' ? 1_005_00 : 25_00);
    this.engine = this.begin();
  }

  /** A service in which both users have a crore, or as much as is said. */
  static async open(cash = CRORE): Promise<GttService> {
    const service = new GttService();
    for (const userId of ['ASHA', 'BHIM']) {
      const words = { email: 'a@example.org', sealedCredentials: 'sealed', usesTotp: false, demo: true };
      const reply = await service.submit({ ...words, type: 'RegisterUser', userId, name: userId });
      const { account } = reply as Extract<Reply, { type: 'UserRegistered' }>;
      await service.submit({ type: 'DepositCash', account, amount: paise(cash), opening: true });
    }
    return service;
  }

  get state(): State {
    return this.live.state;
  }

  private begin(): Engine {
    const { live, journal, ports } = this;
    const failStop = (error: Error): never => {
      throw error;
    };
    return new Engine({ live, journal, ports, clock: () => this.now, elapsed: () => 0, failStop });
  }

  /** The market stands at a price from now on, with a touch of one tick on both sides. */
  quote({ id, tick }: Instrument, last: number, words: object = {}): void {
    this.market.quotes.set(id, { bid: last - tick, ask: last + tick, last, close: last, ...words });
  }

  /** The market moves to a price, and a second passes. */
  moveTo(last: number, instrument: Instrument = RELIANCE, words: object = {}): void {
    this.quote(instrument, last, words);
    this.pass(SECOND_MS);
  }

  pass(time: number): void {
    this.now = (this.now + time) as EpochMs;
    this.engine.passSecond();
    checkInvariants(this.state, this.ports);
  }

  /** The same hour of a later day. */
  passDays(days: number): void {
    for (let day = 0; day < days; day += 1) this.pass(DAY_MS);
  }

  get day(): IstDay {
    return istDay(this.now);
  }

  async submit(command: Command): Promise<Reply> {
    const reply = await this.engine.submit(unasked(command));
    checkInvariants(this.state, this.ports);
    return reply;
  }

  async place(legs: readonly [LegWords] | readonly [LegWords, LegWords], more: object = {}): Promise<GttNumber> {
    const [one, two] = legs;
    const all: readonly [AskedLeg] | readonly [AskedLeg, AskedLeg] =
      two === undefined ? [leg(one)] : [leg(one), leg(two)];
    const command = { type: 'PlaceGtt', account: ASHA, instrument: RELIANCE.id, legs: all, remarks: 'a GTT' } as const;
    const reply = await this.submit({ ...command, ...more });
    assert.equal(reply.type, 'GttPlaced', JSON.stringify(reply));
    return (reply as Extract<Reply, { type: 'GttPlaced' }>).gtt;
  }

  /** The refusal of a command that is refused. */
  async refusal(command: Command): Promise<Refusal> {
    const before = stateHash(this.state);
    const reply = await this.submit(command);
    assert.equal(reply.type, 'Refused', JSON.stringify(reply));
    assert.equal(stateHash(this.state), before, 'a refusal changes nothing');
    return (reply as Extract<Reply, { type: 'Refused' }>).refusal;
  }

  async trade(by: AccountId, words: Omit<OrderWords, 'by' | 'of'> & { of?: InstrumentId }): Promise<Order> {
    const reply = await this.submit(placement({ of: RELIANCE.id, product: 'I', ...words, by }));
    assert.equal(reply.type, 'OrderPlaced', JSON.stringify(reply));
    return must(this.state.orders.get((reply as Extract<Reply, { type: 'OrderPlaced' }>).order), 'an order');
  }

  gtt(number: GttNumber): Gtt {
    return must(this.state.gtts.get(number), `the GTT ${number} is kept`);
  }

  /** The order of a GTT that has fired. */
  orderOf(number: GttNumber): Order {
    const { firing } = this.gtt(number);
    return must(this.state.orders.get(must(firing, `the GTT ${number} has fired`).order), 'its order is of today');
  }

  /** Duties that a command left behind are done: the loop turns. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    await this.engine.read(() => undefined);
    checkInvariants(this.state, this.ports);
  }

  async records(): Promise<JournalRecord[]> {
    await this.settle();
    const records: JournalRecord[] = [];
    readHistory(this.journal, { ...GENESIS, at: 0 }, (more) => records.push(...more));
    return records;
  }

  /** The process ends, and another one begins from the journal, or from what a crash left of it. */
  async restart(records?: readonly JournalRecord[]): Promise<void> {
    if (records === undefined) {
      await this.engine.drain();
      const before = this.state;
      this.live = recover(this.journal, undefined, LIVE).replica;
      assertSameState(before, this.state);
      assertSameState(before, reloaded(before));
    } else {
      this.journal = new MemoryJournal();
      for (const { seq, at, command, events } of records) {
        await this.journal.append(encodeGroup(seq, 1, encodeRecord(seq, at, command, events) + RECORD_END));
      }
      this.live = recover(this.journal, undefined, LIVE).replica;
    }
    this.engine = this.begin();
    this.engine.doAllPresent();
    checkInvariants(this.state, this.ports);
  }
}

/** The events of a kind in records. */
export function eventsOf<Type extends JournalRecord['events'][number]['type']>(
  records: readonly JournalRecord[],
  type: Type,
): Extract<JournalRecord['events'][number], { type: Type }>[] {
  return records.flatMap(({ events }) => events.filter((event) => event.type === type)) as never;
}
