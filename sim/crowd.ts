import { assert } from '../src/base/assert.ts';
import type { Random } from '../src/base/random.ts';
import { errorOf } from '../src/base/system-fault.ts';
import type { Account } from '../src/core/account.ts';
import type { Command, PlaceOrder } from '../src/core/command.ts';
import type { Reply } from '../src/core/reply.ts';
import { replyKey } from '../src/core/state.ts';
import { SERVICE, Unavailable } from '../src/engine/port.ts';
import type { AckLedger } from './checks/ack-ledger.ts';
import { changeGtt, endGtt, waitLong } from './gtt-wishes.ts';
import { listCommand } from './list-wishes.ts';
import type { Machine } from './machine.ts';
import { operatorCommand } from './operator.ts';
import { withOutcome } from './outcome-wishes.ts';
import { scenarioCommand } from './scenario-wishes.ts';
import type { Situations } from './situations.ts';
import { ORDER_WISHES, type Scene, type Wish } from './wishes.ts';

/** Actions of clients, as often as they stand here. */
const WISHES: readonly Wish[] = [...ORDER_WISHES, waitLong, changeGtt, endGtt];

interface Keyed {
  readonly command: PlaceOrder;
  readonly day: number;
  answered: boolean;
  order: number | undefined;
}

/** The largest part of placements with keys that are remembered, to be sent again. */
const REMEMBERED = 60;

/**
 * The clients and the operator: they send, hear answers or give up on them, and keep the answers. Every answer must be
 * on the disk by then. Source: reliability I28, I29, P1, P11.
 */
export class Crowd {
  /** How many commands were sent, and how many were refused before anything was done. */
  sent = 0;
  unavailable = 0;
  /** How many placements asked for an outcome. */
  outcomes = 0;
  /** The first answer that was not as it must be. */
  problem: Error | undefined;
  private readonly random: Random;
  private readonly met: Situations;
  private readonly ledger: AckLedger;
  /** The last record that the disk holds, whoever knows it. */
  private readonly durableSeq: () => number;
  private readonly outcomePercent: number;
  private keyed: Keyed[] = [];
  private keys = 0;
  private tokens = 0;

  /** `outcomePercent`: of the placements that ask for an outcome beyond the usual ones. */
  constructor(random: Random, met: Situations, ledger: AckLedger, durableSeq: () => number, outcomePercent = 0) {
    this.outcomePercent = outcomePercent;
    this.random = random;
    this.met = met;
    this.ledger = ledger;
    this.durableSeq = durableSeq;
  }

  /** The commands that arrive in one instant, from one client or several. */
  burst(scene: Scene): Command[] {
    const { random } = this;
    const draw = random.below(1_000);
    const account = random.pick([...scene.state.accounts]);
    if (draw < 15) return [operatorCommand(scene)];
    if (draw < 45) return [this.session(scene, account)];
    if (draw < 47) return Array.from({ length: 22 }, () => this.login(account));
    if (draw >= 980) return [listCommand(scene, account)];
    if (draw >= 968) return [scenarioCommand(scene, account)];
    if (draw < 75 && this.keyed.length > 0) return [this.again(random.pick(this.keyed))];
    return random
      .pick(WISHES)(scene, account)
      .map((command) => this.withKey(this.withOutcome(scene, command), scene.state.day));
  }

  /** Sends a command. The fate of the answer is the client's luck. */
  send(machine: Machine, command: Command): void {
    this.sent += 1;
    if (command.type === 'PlaceOrder' && command.scenario !== undefined) this.outcomes += 1;
    const { engine, live } = machine;
    const waiting = engine.status().held;
    const answer = engine.submit({ command, origin: SERVICE });
    const { seq, day } = live.state;
    const isHeld = engine.status().held > waiting;
    this.met.metIf(isHeld, 'a command waits for what the time brings');
    this.ledger.sent(command, day);
    const listens = !this.random.chance(4);
    answer.then(
      (reply) =>
        this.guarded(() => {
          // Of a command that waited over a day's end nobody here knows on which day it was decided.
          const knowsDay = !isHeld || live.state.day === day;
          this.hear(command, reply, seq, day, listens && knowsDay);
        }),
      (error: unknown) => {
        if (error instanceof Unavailable) this.refused(error.message);
        else machine.failure ??= error as Error;
      },
    );
  }

  /** A fault of an answer goes to `problem`: an error that is thrown where an answer is heard reaches nobody. */
  guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.problem ??= errorOf(error);
    }
  }

  /** After a start: placements whose answers never came are sent again. Returns what they are. */
  unanswered({ state }: Scene): Command[] {
    const open = this.keyed.filter(({ answered, day }) => !answered && day === state.day);
    for (const { command } of open) {
      const key = replyKey(command.account, command.idempotency?.key ?? '');
      const was = state.replies.has(key);
      this.met.met(
        was
          ? 'a placement is sent again after a crash and was there'
          : 'a placement is sent again after a crash and was not there',
      );
    }
    return open.map(({ command }) => command);
  }

  private refused(why: string): void {
    this.unavailable += 1;
    this.met.metIf(why.includes('in time'), 'a slow disk makes the service refuse commands');
    this.met.metIf(why.includes('too many'), 'too many commands wait for the disk');
    this.met.metIf(why.includes('full'), 'the disk is full for good');
  }

  private hear(command: Command, reply: Reply, seq: number, day: number, listens: boolean): void {
    assert(this.durableSeq() >= seq, `the answer names record ${seq}, the disk holds ${this.durableSeq()}`);
    if (!listens) return;
    this.ledger.acknowledged(command, reply, seq, day);
    if (command.type !== 'PlaceOrder' || command.idempotency === undefined || reply.type !== 'OrderPlaced') return;
    const known = this.keyed.find((one) => one.command === command);
    if (known === undefined || known.day !== day) return;
    assert(known.order === undefined || known.order === reply.order, `one key places one order, not ${reply.order}`);
    known.answered = true;
    known.order = reply.order;
  }

  /** No chance is drawn in a usual run: its seeds stay what they were. */
  private withOutcome(scene: Scene, command: Command): Command {
    const asks = this.outcomePercent > 0 && this.random.chance(this.outcomePercent);
    return asks ? withOutcome(scene, command) : command;
  }

  private withKey(command: Command, day: number): Command {
    if (command.type !== 'PlaceOrder' || !this.random.chance(15)) return command;
    this.keys += 1;
    const keyed = { ...command, idempotency: { key: `k${this.keys}`, bodyDigest: `d${this.keys}` } };
    this.keyed.push({ command: keyed, day, answered: false, order: undefined });
    if (this.keyed.length > REMEMBERED) this.keyed = this.keyed.slice(REMEMBERED / 2);
    return keyed;
  }

  /** The same request once more, or another one under its key. */
  private again({ command }: Keyed): Command {
    const { idempotency } = command;
    if (idempotency === undefined || !this.random.chance(10)) return command;
    return { ...command, idempotency: { ...idempotency, bodyDigest: 'other' } };
  }

  private login(account: Account): Command {
    const { random } = this;
    this.tokens += 1;
    const coded = account.usesTotp && random.chance(80);
    const totpStep = coded ? { totpStep: account.lastTotpStep + random.between(0, 2) } : {};
    return { type: 'OpenSession', account: account.id, tokenDigest: `token${this.tokens}`, ...totpStep };
  }

  private session({ random, state }: Scene, account: Account): Command {
    const known = [...state.sessions.keys()];
    const draw = random.below(10);
    if (draw === 9) return registration(random.pick([...state.accounts]).userId);
    if (known.length === 0 || draw < 5) {
      return this.login(account);
    }
    const tokenDigest = random.pick(known);
    return draw < 7 ? { type: 'CloseSession', tokenDigest } : { type: 'TouchSession', tokenDigest };
  }
}

export function registration(userId: string): Command {
  const email = `${userId.toLowerCase()}@example.org`;
  const words = { userId, name: userId, email, sealedCredentials: 'sealed' };
  return { type: 'RegisterUser', ...words, usesTotp: userId.endsWith('3'), demo: true };
}
