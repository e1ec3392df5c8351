import assert from 'node:assert/strict';
import type { AccountId, InstrumentId, Tick } from '../../../src/base/ids.ts';
import { type Price, paise, price } from '../../../src/base/money.ts';
import { type EpochMs, HOUR_MS, type IstDay, istDay, istInstant, SECOND_MS } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { SpanFiles } from '../../../src/core/margin/rates/span-file.ts';
import type { Print } from '../../../src/core/market.ts';
import type { Order } from '../../../src/core/order.ts';
import type { Ports } from '../../../src/core/ports.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { orderOf } from '../../../src/core/state.ts';
import { EVERY_DAY, type TradingDays } from '../../../src/core/trading-days.ts';
import type { LimitedShares, SpanFilesOn } from '../../../src/engine/day-driver.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { FIRST_DAY, NIFTY, NIFTY_FUTURE, RELIANCE, SENSEX } from '../money/listed.ts';
import { StillMarket } from '../money/still-market.ts';
import { type OrderWords, placement } from '../money/world.ts';
import { testPorts } from '../ports.ts';
import { RULES } from '../rules.ts';
import { unasked } from '../unasked.ts';
import { listed, NIFTY_24000_CALL, NIFTY_NEAR, RELIANCE_1240_CALL } from './expiring.ts';

/** Monday trades, Tuesday is the expiry, Wednesday a holiday, Thursday and Friday trade, the weekend does not. */
const DAYS: TradingDays = {
  ...EVERY_DAY,
  isTradingDay: (day) => ![2, 5, 6].includes(day - FIRST_DAY),
};

/** Closes that climb a little every trading day: the quotes are those of the first one. */
class ClimbingMarket extends StillMarket {
  override previousClose(id: InstrumentId, tick?: Tick): Price {
    const today = tick === undefined ? FIRST_DAY : istDay((tick * SECOND_MS) as EpochMs);
    let trading = 0;
    for (let day: number = FIRST_DAY; day < today; day += 1) if (DAYS.isTradingDay(day as IstDay)) trading += 1;
    return price(super.previousClose(id) + trading * 10_00);
  }

  /** The last trade of a past day is its close. */
  override lastPrint(id: InstrumentId, tick: Tick): Print {
    const next = istInstant((istDay((tick * SECOND_MS) as EpochMs) + 1) as IstDay);
    return { ...super.lastPrint(id, tick), price: this.previousClose(id, this.tickAt(next)) };
  }
}

/** A service that can be stopped and begun again, with a clock that a test sets. */
export class Service {
  readonly ports: Ports;
  readonly journal = new MemoryJournal();
  live: Live = LIVE.empty();
  now = istInstant(FIRST_DAY, 10 * HOUR_MS);
  readonly market = new ClimbingMarket();
  /** The log that the operator reads. */
  readonly notes: string[] = [];
  private readonly spanFilesOn: SpanFilesOn;
  private readonly limitedShares: LimitedShares;
  private engine: Engine;

  /** The SPAN files of a day, by names; they hold nothing. */
  constructor(spanFilesOn: SpanFilesOn = () => [], limitedShares: LimitedShares = () => []) {
    this.spanFilesOn = spanFilesOn;
    this.limitedShares = limitedShares;
    const spanFiles: SpanFiles = {
      get: (digest) => ({ digest, exchange: 'NFO', day: FIRST_DAY, underlyings: new Map() }),
    };
    this.ports = testPorts({ instruments: listed, market: this.market, days: DAYS, charges: RULES.charges, spanFiles });
    for (const [id, rupees] of [
      [NIFTY.id, 24_100],
      [SENSEX.id, 80_000],
      [NIFTY_24000_CALL.id, 150],
      [NIFTY_NEAR.id, 24_110],
      [NIFTY_FUTURE.id, 24_300],
      [RELIANCE.id, 1_250],
      [RELIANCE_1240_CALL.id, 25],
    ] as const) {
      const at = rupees * 100;
      this.market.quotes.set(id, { bid: at, ask: at, last: at, close: at });
    }
    this.engine = this.begin();
  }

  private begin(): Engine {
    const failStop = (error: Error): never => {
      throw error;
    };
    const { live, journal, ports, spanFilesOn, limitedShares } = this;
    const log = (message: string): void => void this.notes.push(message);
    const clocks = { clock: () => this.now, elapsed: () => 0 };
    return new Engine({ live, journal, ports, spanFilesOn, limitedShares, ...clocks, failStop, log });
  }

  /** The process ends, and another one begins later from the journal. */
  async restartAt(at: EpochMs): Promise<void> {
    await this.engine.drain();
    const before = stateHash(this.live.state);
    this.live = recover(this.journal, undefined, LIVE).replica;
    assert.equal(stateHash(this.live.state), before);
    this.now = at;
    this.engine = this.begin();
    this.pass(at);
  }

  pass(at: EpochMs): void {
    this.now = at;
    this.engine.passSecond();
    checkInvariants(this.live.state, this.ports);
  }

  async submit(command: Command): Promise<Reply> {
    const reply = await this.engine.submit(unasked(command));
    assert.notEqual(reply.type, 'Refused', JSON.stringify(command));
    return reply;
  }

  /** A user with money, who is account 0. */
  async enrol(cash: number): Promise<void> {
    const words = { email: 'a@example.com', sealedCredentials: 'sealed', usesTotp: false, demo: true };
    await this.submit({ ...words, type: 'RegisterUser', userId: 'AB1234', name: 'A' });
    await this.submit({ type: 'DepositCash', account: 0 as AccountId, amount: paise(cash), opening: true });
  }

  /** Places an order of the user and gives it as it then is. */
  async trade(words: Omit<OrderWords, 'by'>): Promise<Order> {
    const reply = await this.submit(placement({ ...words, by: 0 as AccountId }));
    assert.equal(reply.type, 'OrderPlaced');
    return orderOf(this.live.state, (reply as Extract<Reply, { type: 'OrderPlaced' }>).order);
  }

  /** The turns of days that the journal has. */
  async turns(): Promise<string[]> {
    await this.engine.drain();
    const turns: string[] = [];
    for (const group of this.journal.groups(0)) {
      for (const { command, at } of decodeGroup(group)) {
        if (command.type !== 'EndDay' && command.type !== 'RollDay') continue;
        const offset = at - istInstant(FIRST_DAY);
        turns.push(`${command.type} ${command.day - FIRST_DAY} at ${offset / HOUR_MS}`);
      }
    }
    return turns;
  }
}
