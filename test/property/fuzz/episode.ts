import { setImmediate } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { DAY_MS, dayOfCivil, type EpochMs, istInstant, SECOND_MS } from '../../../src/base/time.ts';
import type { Event } from '../../../src/core/event.ts';
import { LIVE } from '../../../src/engine/live.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { type Front, type OpenFront, openWire } from './front.ts';
import { type FuzzUser, FuzzWorld } from './fuzz-world.ts';
import { Oracle } from './oracle.ts';
import { type FuzzRequest, RequestMaker } from './requests.ts';

/** Requests of one world; then a new one begins, so that a fault is found again in a short time. */
export const EPISODE = 5_000;

/** Monday, 9 November 2026: the worlds are in the two weeks after it, holidays and nights included. */
const FIRST_DAY = must(dayOfCivil(2026, 11, 9), 'a date');
const DAYS = 14;
/** This many worlds in a row are of one day: its instruments and prices are made once. */
const WORLDS_A_DAY = 10;
/** How often the whole state is hashed around a request. */
const HASH_EVERY = 250;
const CLOCK_EVERY = 40;
/**
 * The only traces that a refused or a reading request may leave: that its session is in use, and that a book met the
 * second and its phase.
 */
const OF_TIME: ReadonlySet<Event['type']> = new Set<Event['type']>(['SessionTouched', 'PhaseMet', 'QueueAdvanced']);

/** How often each answer was seen: `/placeOrder 200`. */
export type Tally = Map<string, number>;

/** The fault that an episode found, with all that finds it again. */
class FuzzFault extends Error {
  override readonly name = 'FuzzFault';
}

/** One world and the requests that it meets, all from one seed. */
export class Episode {
  private readonly seed: number;
  private readonly random: Random;
  private readonly world: FuzzWorld;
  private readonly front: Front;
  private readonly oracle: Oracle;
  private readonly maker: RequestMaker;
  private readonly tally: Tally;

  private constructor(seed: number, random: Random, world: FuzzWorld, tally: Tally, front: Front) {
    this.seed = seed;
    this.random = random;
    this.world = world;
    this.tally = tally;
    this.front = front;
    this.oracle = new Oracle(world);
    this.maker = new RequestMaker(world, random);
  }

  static async open(seed: number, tally: Tally, frontOf: OpenFront = openWire): Promise<Episode> {
    const random = new Random(seed);
    const world = await FuzzWorld.open({
      regime: random.chance(70) ? 'always' : 'exchange',
      at: (istInstant(FIRST_DAY) + (Math.floor(seed / WORLDS_A_DAY) % DAYS) * DAY_MS + random.below(DAY_MS)) as EpochMs,
      rateLimit: random.chance(15) ? 'exchange' : 'off',
      slicing: random.chance(25) ? 'on' : 'off',
      access: seed % 2 === 1,
    });
    return new Episode(seed, random, world, tally, await frontOf(world, random));
  }

  /** Sends this many requests; throws a `FuzzFault` for the first answer that is wrong. */
  async run(requests: number): Promise<void> {
    for (let index = 0; index < requests; index += 1) {
      if (index % CLOCK_EVERY === 0) await this.passTime();
      const request = this.maker.next();
      const hashed = index % HASH_EVERY === HASH_EVERY - 1;
      const fault = await this.fire(request, hashed);
      if (fault !== undefined) throw this.faultOf(index, request, fault);
    }
    await this.front.close();
    await this.compareWithReplay();
  }

  private async fire(request: FuzzRequest, hashed: boolean): Promise<string | undefined> {
    const { live } = this.world;
    const before = { seq: live.seq, hash: hashed ? live.hash() : '' };
    const reply = await this.front.answer(request);
    const records = await this.recordsAfter(before.seq);
    const key = `${request.operation.path} ${reply.status}`;
    this.tally.set(key, (this.tally.get(key) ?? 0) + 1);
    const fault = this.oracle.faultOf({ request, reply, records });
    if (fault !== undefined) return `${fault}\nanswer ${reply.status} ${reply.body.slice(0, 2_000)}`;
    if (hashed && live.seq === before.seq && live.hash() !== before.hash) return 'the state changed without a record';
    await this.followSessions(request, reply);
    return undefined;
  }

  /** How many records after a sequence number are there for the sake of a request, and not of the time. */
  private async recordsAfter(seq: number): Promise<number> {
    const { engine, journal, live } = this.world;
    if (live.seq === seq) return 0;
    while (engine.status().durableSeq < live.seq) await setImmediate();
    const records = [...journal.groups(seq)].flatMap(decodeGroup);
    return records.filter(({ seq: at, events }) => at > seq && !events.every(({ type }) => OF_TIME.has(type))).length;
  }

  /** Keeps the users' tokens as the books have them. */
  private async followSessions({ operation, user }: FuzzRequest, reply: Reply): Promise<void> {
    if (reply.status !== 200) return;
    if (operation.path === '/login') {
      const token = String(JSON.parse(reply.body).data.susertoken);
      user.tokens.push(token);
      this.oracle.keepSecret(token);
    }
    if (operation.path === '/logout') await this.refreshSessions(user);
  }

  /** Tokens whose sessions are over go to the dead ones; who has none left gets one. */
  private async refreshSessions(user: FuzzUser): Promise<void> {
    const { world } = this;
    const live = user.tokens.filter((token) => world.lives(token));
    world.deadTokens.push(...user.tokens.filter((token) => !world.lives(token)));
    user.tokens.splice(0, user.tokens.length, ...live);
    if (live.length === 0) this.oracle.keepSecret(await world.openSession(user));
  }

  private async passTime(): Promise<void> {
    const { world, random } = this;
    world.now = (world.now + random.pick([0, 1, 1, 2, 5, 60, 900]) * SECOND_MS) as EpochMs;
    world.engine.passSecond();
    for (const user of world.users) await this.refreshSessions(user);
    // The records of the second are committed by themselves before the next request is looked at.
    await setImmediate();
  }

  /** The journal gives the state as it is: nothing changed beside its records. Source: reliability I30, I39. */
  private async compareWithReplay(): Promise<void> {
    const { engine, journal, live } = this.world;
    await engine.drain();
    const replayed = recover(journal, undefined, LIVE).replica;
    if ([...replayed.lines()].join() !== [...live.lines()].join())
      throw new FuzzFault(`seed ${this.seed}: the replay of the journal is another state`);
  }

  private faultOf(index: number, request: FuzzRequest, fault: string): FuzzFault {
    const { operation, text, standing, user, idempotencyKey } = request;
    return new FuzzFault(
      [
        `SAUDA_FUZZ_SEED=${this.seed}, request ${index} of its episode: ${fault}`,
        `POST ${operation.path} by ${user.plain.userId}, session: ${standing}, key ${JSON.stringify(idempotencyKey)}`,
        text.slice(0, 2_000),
      ].join('\n'),
    );
  }
}
