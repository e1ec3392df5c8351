import type { AccountId } from '../../../src/base/ids.ts';
import { type EpochMs, type IstDay, istDay, istInstant, type WallMs } from '../../../src/base/time.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import type { Answer } from '../../../src/gateway/answer.ts';
import { PositionTexts } from '../../../src/gateway/endpoints/account/position-texts.ts';
import { AnswerMemory } from '../../../src/gateway/http/answer-memory.ts';
import type { Operation } from '../../../src/gateway/operation.ts';
import type { DialectParts } from '../../../src/gateway/sockets/dialect-parts.ts';
import type { Dialect } from '../../../src/gateway/sockets/open-socket.ts';
import { SocketFigures } from '../../../src/gateway/sockets/socket-figures.ts';
import { AccountEvents } from '../../../src/gateway/stream/account-events.ts';
import { streamDialect } from '../../../src/gateway/stream/stream-dialect.ts';
import type { Group, Head, Journal } from '../../../src/journal/journal.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { testPorts } from '../../kit/ports.ts';
import { ManualClock } from '../../kit/wire/manual-clock.ts';

/**
 * A journal as one process sees it: its disk takes a group when the test says so. A group that it has not taken dies
 * with the process.
 */
class Gate implements Journal {
  readonly name = 'memory';
  private readonly disk: MemoryJournal;
  private held: (() => void) | undefined;
  private isDead = false;

  constructor(disk: MemoryJournal) {
    this.disk = disk;
  }

  head = () => this.disk.head();
  begin = () => this.disk.begin();
  isFull = () => false;
  groups = (after: number) => this.disk.groups(after);
  hashAt = (seq: number) => this.disk.hashAt(seq);
  close = () => Promise.resolve();

  append(group: Group): Promise<Head> {
    const copy = { ...group, body: Buffer.from(group.body) };
    return new Promise((resolve) => {
      if (!this.isDead) this.held = () => resolve(this.disk.append(copy));
    });
  }

  release(): void {
    const { held } = this;
    this.held = undefined;
    held?.();
  }

  die(): void {
    this.isDead = true;
    this.held = undefined;
  }
}

/** A service with the stream in front of a real engine, over a journal that commits on demand. It can be killed. */
export class StreamWorld {
  readonly journal = new MemoryJournal();
  private gate = new Gate(this.journal);
  readonly clock = new ManualClock();
  readonly failures: unknown[] = [];
  readonly market = Object.assign(new SmallMarket(), { tradingDay: (at: EpochMs): IstDay => istDay(at) });
  now: EpochMs = istInstant(20_500 as IstDay, 36_000_000);
  live: Live = LIVE.empty();
  engine: Engine;
  dialect: Dialect;
  /** How many services there were before this one. */
  kills = 0;
  private parts: DialectParts;

  constructor() {
    this.engine = this.newEngine();
    this.parts = this.newParts();
    this.dialect = streamDialect(this.parts);
  }

  /** The service dies, with all that is not durable, and another one begins from the journal. */
  kill(): void {
    this.kills += 1;
    this.gate.die();
    this.gate = new Gate(this.journal);
    this.live = recover(this.journal, undefined, LIVE).replica;
    this.engine = this.newEngine();
    this.parts = this.newParts();
    this.dialect = streamDialect(this.parts);
  }

  /** The disk takes what waits for it, and everybody is given time for what follows. */
  async commit(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
    this.gate.release();
    for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
  }

  /** The answer of an operation to a user. It waits until the disk has taken what it shows. */
  async ask(operation: Operation, account: AccountId): Promise<unknown> {
    const userId = this.live.state.accounts.at(account)?.userId ?? '';
    const caller = { account, tokenDigest: '', op: '', from: { address: '' }, idempotencyKey: undefined };
    const answer: Answer = await operation.run(this.parts, operation.pick({ userId, jKey: 'x' }) ?? {}, caller);
    if (typeof answer !== 'string') throw new Error(JSON.stringify(answer));
    return JSON.parse(answer).data;
  }

  private newEngine(): Engine {
    return new Engine({
      live: this.live,
      journal: this.gate,
      ports: testPorts({ instruments: SMALL_INSTRUMENTS, market: this.market }),
      clock: () => this.now,
      elapsed: () => 0,
      failStop: (error) => this.failures.push(error),
    });
  }

  private newParts(): DialectParts {
    const { engine, market, clock, live } = this;
    const parts: Partial<DialectParts> & Record<string, unknown> = {
      engine,
      feed: engine.feed,
      market: market as unknown as DialectParts['market'],
      instruments: SMALL_INSTRUMENTS as DialectParts['instruments'],
      avgModel: 'aggregate',
      wall: () => 0 as WallMs,
      positionTexts: new PositionTexts(),
      answers: new AnswerMemory(),
      accountEvents: new AccountEvents(engine.feed, engine),
      clock,
      figures: new SocketFigures(),
      watchSession: () => () => undefined,
      /** Every user id is a session of that user. */
      sessions: {
        named: (userId: string) => ({ account: live.state.accountByUser.get(userId), tokenDigest: userId }),
      } as unknown as DialectParts['sessions'],
    };
    return parts as DialectParts;
  }
}
