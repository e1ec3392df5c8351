/**
 * The audit trail of a running service: makes the bodies of the lines, from records, refused requests and operators'
 * acts, and hands them to a thread. The thread chains and writes them: see `trail-worker.ts`.
 */

import { Worker } from 'node:worker_threads';
import type { AccountId } from '../base/ids.ts';
import { HOUR_MS, type WallMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { Subscriber } from '../engine/feed/durable-feed.ts';
import type { DurableRecord, UnrecordedDecision } from '../engine/feed/durable-record.ts';
import type { Origin } from '../engine/port.ts';
import { REAL_DISK } from '../journal/disk/real-disk.ts';
import { StorageFailed } from '../journal/file-journal.ts';
import type { Head } from '../journal/journal.ts';
import { journalPaths } from '../journal/upkeep/examine.ts';
import type { AnchorPlace } from './anchor.ts';
import { field, grounds, hasLine, isOwn, kindOf, outcome, sessionName, subject } from './command-fields.ts';
import { expectNothingLost } from './missing-history.ts';
import type { OperatorTrail, RefusedRequest, RequestTrail, Who } from './port.ts';
import { cutText, storedTrail } from './reading/stored-trail.ts';
import { recordsAfter, recoveredBody } from './recovered-lines.ts';
import { RepeatedRefusals, type Repeats, UserRefusals } from './repeated-refusals.ts';
import { actFields, orderFields } from './request-fields.ts';
import { trailFolder } from './trail-file.ts';
import { bodiesOf } from './trail-line.ts';
import { TrailLog } from './trail-log.ts';
import type { TrailReply, TrailRequest, TrailWorkerData } from './trail-worker.ts';
import { WaitingLines } from './waiting-lines.ts';

/**
 * Lines go to the thread this often. When the process is killed before that, lines of refusals are lost; lines of
 * commands are made from the journal.
 */
const HAND_OVER_MS = 100;
/**
 * The memory for lines that wait for the disk, or for the record after which they belong. Above it the storage counts
 * as failed.
 */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** A start that makes more lines than this counts the file of the day before at once, see `TrailLog`. */
const MOST_HELD_BYTES = MOST_WAITING_BYTES / 4;
/** When this much waits, refusals are only counted: the rest of the memory is for lines of commands and acts. */
const MOST_BEFORE_REFUSALS = MOST_WAITING_BYTES / 2;
/** Lines are made from the journal in portions of this size. */
const RECOVERED_AT_A_TIME = 1_000;
/** Sessions whose words are kept in memory. */
const MOST_SESSIONS = 10_000;

/** The operations that open sessions. */
const LOGINS: ReadonlySet<string> = new Set(['login', 'demoLogin']);

const NO_ROOM =
  'bytes of lines of the audit trail found no room and are lost, but those of commands: the next start makes them from the journal';

export interface TrailParts {
  /** The data folder. */
  readonly data: string;
  /** The years for which files are kept; 0 keeps them for ever. */
  readonly years: number;
  readonly anchor: AnchorPlace | undefined;
  readonly wall: () => WallMs;
  /** Ends the process: the storage of the trail failed. */
  readonly failStop: (error: Error) => void;
  readonly log: (message: string) => void;
}

/** The words that name the user of a session in its lines. */
interface SessionWords {
  readonly address: string;
  readonly who: string;
}

/**
 * Follows the feed of durable records, so the trail never says more than the journal. Source: reliability G11, I46,
 * market-rules R9.7.
 */
export class Trail implements Subscriber, RequestTrail, OperatorTrail {
  private readonly parts: TrailParts;
  private readonly refusals = new RepeatedRefusals();
  private readonly ofUsers = new UserRefusals();
  private readonly sessions = new Map<string, SessionWords>();
  private lines = new WaitingLines(0);
  private state: State | undefined;
  private worker: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;
  private durable: (() => Head) | undefined;
  private waiting = 0;
  private sealedAt = 0;
  private isSealDue = false;
  private failed = false;
  private closing: (() => void) | undefined;

  constructor(parts: TrailParts) {
    this.parts = parts;
  }

  /**
   * Opens the trail over the recovered state, before the engine decides anything, and makes missing lines from the
   * journal. Lines of a later day than that of the last file may wait for the thread, which counts that file first.
   * `acceptLoss` is the sequence number at which the operator agrees that history ends. Throws `TrailDamaged`,
   * and `JournalDamaged` when the trail names records that the journal does not have.
   */
  open(state: State, acceptLoss?: number): void {
    const { data, years, anchor, wall, log: say } = this.parts;
    const folder = trailFolder(data);
    this.state = state;
    this.lines = new WaitingLines(state.seq);
    const stored = storedTrail(REAL_DISK, folder);
    expectNothingLost(REAL_DISK, stored, { data, anchor, seq: state.seq, acceptLoss, log: say });
    const log = new TrailLog(REAL_DISK, folder, stored, years);
    // The line that says where history ends now is on the disk before anything is added to the history.
    if (acceptLoss !== undefined) log.count(Number.POSITIVE_INFINITY);
    // The trail of a branch begins with the branch: what its parent did stands in the parent's.
    const recovered = this.recover(log, stored.seq ?? state.branches.at(-1)?.record ?? state.seq);
    const notes = `"recovered":${recovered},"cut":${stored.cut},"anchor":${anchor !== undefined}`;
    log.append(bodiesOf([`"utc":${wall()},"kind":"Start","seq":${state.seq},${notes}`]));
    for (const late of log.release().toString('latin1').split('\n')) if (late !== '') this.note(late);
    if (stored.cut > 0) say(cutText(folder, stored));
    if (recovered > 0 && stored.seq !== undefined)
      say(`${recovered} lines of the audit trail were made from the journal`);
  }

  /** Begins to hand lines over. `durable` gives the head of the journal that was acknowledged. */
  start(durable: () => Head): void {
    const { data, years, anchor } = this.parts;
    const workerData: TrailWorkerData = { folder: trailFolder(data), years, anchor };
    const worker = new Worker(new URL('./trail-worker.ts', import.meta.url), { workerData });
    worker.on('message', (reply: TrailReply) => this.receive(reply));
    worker.on('error', (error: Error) => this.fail(error.message));
    worker.on('exit', () => this.closing?.());
    this.worker = worker;
    this.durable = durable;
    this.timer = setInterval(() => this.handOver(false), HAND_OVER_MS);
  }

  /** Writes the remaining lines and a last line, when the journal is closed or about to be. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    if (this.worker === undefined) return;
    if (!this.failed) await this.finish();
    await this.worker.terminate();
  }

  private finish(): Promise<void> {
    this.handOver(true);
    return new Promise((resolve) => {
      this.closing = resolve;
      this.send({ type: 'close' });
    });
  }

  take(records: readonly DurableRecord[]): void {
    for (const record of records) this.lines.record(record.seq, this.bodyOf(record));
  }

  unrecorded({ at, command, context }: UnrecordedDecision): void {
    const { origin, utc, reply } = context;
    if (!hasLine(command) || isOwn(command)) return;
    if (origin.type === 'Client' && !this.admitsUnrecorded(origin, utc, reply)) return;
    const words = this.wordsOf(origin, command);
    this.note(`"utc":${utc},"at":${at},${words}${outcome(undefined, command, reply, [])}`);
  }

  lost(error: Error): void {
    this.fail(error.message);
  }

  refuse(who: Who | undefined, request: RefusedRequest): void {
    const { op, address, status, name, message, body } = request;
    const utc = this.parts.wall();
    const isStranger = who === undefined;
    const caller = isStranger ? this.stranger(body) + field('address', address) : this.session(who, address);
    const kind = LOGINS.has(op) ? 'Login' : 'Refusal';
    const words = `"op":"${op}"${caller}`;
    const result = `,"code":${status},"name":"${name}"${field('field', request.field)}`;
    const isShared = isStranger || status === 429 || status === 503;
    const isNoted = isShared
      ? this.refusals.admits(words + result, utc, this.hasRoom)
      : this.admitsOfUser(who.account, words + result, utc);
    if (!isNoted) return;
    const fields = isStranger || body === undefined ? '' : orderFields(body);
    this.note(`"utc":${utc},"kind":"${kind}",${words}${fields}${result}${field('message', message)}`);
  }

  act(op: string, address: string, code: number, fields: Readonly<Record<string, unknown>> | undefined): void {
    const utc = this.parts.wall();
    const words = `${field('op', op).slice(1)}${field('address', address)}`;
    if (fields === undefined && !this.refusals.admits(`${words},"code":${code}`, utc, this.hasRoom)) return;
    this.note(`"utc":${utc},"kind":"Act",${words}${fields === undefined ? '' : actFields(fields)},"code":${code}`);
  }

  /** True while the disk is far behind with the lines that it was given: one who can wait gives it no more. */
  get isBehind(): boolean {
    return this.unwritten > MOST_WAITING_BYTES / 4;
  }

  /** Bytes of lines that the disk has not taken yet. */
  private get unwritten(): number {
    return this.waiting + this.lines.length;
  }

  /** Whether there is room for the line of a refusal. */
  private get hasRoom(): boolean {
    return this.unwritten < MOST_BEFORE_REFUSALS;
  }

  /** Whether a command of a client that made no record, since it was refused or answered before, has a line. */
  private admitsUnrecorded(origin: Extract<Origin, { type: 'Client' }>, utc: number, reply: Reply): boolean {
    const result = reply.type === 'Refused' ? `,"code":400,"rule":"${reply.refusal.rule}"` : ',"code":200';
    return this.admitsOfUser(
      origin.account,
      `"op":"${origin.op}"${this.session(origin, origin.address)}${result}`,
      utc,
    );
  }

  private admitsOfUser(account: AccountId, what: string, utc: number): boolean {
    const user = field('user', this.state?.accounts.at(account)?.userId);
    return this.ofUsers.admits(account, user, what, utc, this.hasRoom);
  }

  /**
   * The line of a record; `undefined` when it has none. For a record that was read from the journal the line has only
   * the facts that the journal keeps.
   */
  private bodyOf(record: DurableRecord): string | undefined {
    const { seq, at, command, events, context } = record;
    const { state } = this;
    if (state === undefined || !hasLine(command)) return undefined;
    if (context === undefined) return recoveredBody(state, record, this.parts.wall());
    const { origin, utc, reply } = context;
    return `"utc":${utc},"at":${at},${this.wordsOf(origin, command)}${outcome(seq, command, reply, events)}`;
  }

  /** The kind of a command's line, and its origin. */
  private wordsOf(origin: Origin, command: Command): string {
    if (origin.type === 'Client' && !isOwn(command)) {
      return `"kind":"${kindOf(command)}","op":"${origin.op}"${this.session(origin, origin.address)}`;
    }
    const about = this.state === undefined ? '' : subject(this.state, command);
    if (origin.type === 'Operator' && !isOwn(command)) {
      return `"kind":"Act","op":"${command.type}"${about}${grounds(command)}`;
    }
    if (origin.type === 'DemoLogin')
      return `"kind":"Login","op":"demoLogin"${about}${field('address', origin.address)}`;
    if (origin.type !== 'Login') return `"kind":"Own","op":"${command.type}"${about}`;
    const { address, vendorCode, keyName } = origin;
    const names = `${field('vendor', vendorCode)},"key":"${keyName}"`;
    return `"kind":"Login","op":"login"${about}${field('address', address)}${names}`;
  }

  /** A line without a record: it stands after everything that was decided by now. */
  private note(body: string): void {
    this.lines.note(body, this.state?.seq ?? 0);
  }

  private session({ account, tokenDigest }: Who, address: string): string {
    const known = this.sessions.get(tokenDigest);
    if (known?.address === address) return known.who;
    if (this.sessions.size >= MOST_SESSIONS) this.sessions.clear();
    const user = field('user', this.state?.accounts.at(account)?.userId);
    const who = `${user}${field('address', address)},"session":"${sessionName(tokenDigest)}"`;
    this.sessions.set(tokenDigest, { address, who });
    return who;
  }

  /** A user id is noted only when it exists: people type passwords into the wrong field. */
  private stranger(body: Readonly<Record<string, unknown>> | undefined): string {
    const userId = body?.userId;
    const known = typeof userId === 'string' && this.state?.accountByUser.has(userId) === true;
    return known ? field('user', userId) : '';
  }

  private recover(log: TrailLog, after: number): number {
    const { state, parts } = this;
    if (state === undefined || after >= state.seq) return 0;
    let count = 0;
    let portion: string[] = [];
    for (const record of recordsAfter(REAL_DISK, journalPaths(parts.data).journal, after)) {
      const body = recoveredBody(state, record, parts.wall());
      if (body === undefined) continue;
      count += 1;
      if (portion.push(body) < RECOVERED_AT_A_TIME) continue;
      log.append(bodiesOf(portion));
      if (log.waitingBytes > MOST_HELD_BYTES) log.count(Number.POSITIVE_INFINITY);
      portion = [];
    }
    if (portion.length > 0) log.append(bodiesOf(portion));
    return count;
  }

  /** Sends the lines that have their place, and every hour the head of the journal. */
  private handOver(ends: boolean): void {
    if (this.durable === undefined || this.failed) return;
    const utc = this.parts.wall();
    if (ends || this.hasRoom) this.noteRepeats(utc, ends);
    if (ends || utc - this.sealedAt >= HOUR_MS) this.seal(utc, this.durable(), ends);
    const bodies = this.lines.take();
    if (bodies !== undefined) {
      this.waiting += bodies.length;
      this.send({ type: 'lines', bodies, anchor: this.isSealDue }, bodies.buffer);
      this.isSealDue = false;
    }
    if (this.unwritten > MOST_WAITING_BYTES) this.fail('the disk takes no lines of the audit trail');
  }

  private noteRepeats(utc: number, ends: boolean): void {
    for (const repeats of this.refusals.due(utc, ends)) this.note(repeatedBody(utc, repeats));
    for (const repeats of this.ofUsers.due(utc, ends)) this.note(repeatedBody(utc, repeats));
  }

  private seal(utc: number, { seq, hash }: Head, ends: boolean): void {
    this.sealedAt = utc;
    this.isSealDue = true;
    this.note(`"utc":${utc},"kind":"${ends ? 'End' : 'Seal'}","seq":${seq},"journal":"${hash}"`);
  }

  private send(request: TrailRequest, ...transferred: ArrayBuffer[]): void {
    this.worker?.postMessage(request, transferred);
  }

  private receive(reply: TrailReply): void {
    if (reply.type === 'failed') this.fail(reply.message);
    else if (reply.type === 'note') this.parts.log(reply.message);
    else if (reply.type === 'closed') {
      if (reply.waiting > 0) this.parts.log(`${reply.waiting} ${NO_ROOM}`);
      this.closing?.();
    } else {
      this.waiting = Math.max(this.waiting - reply.bytes, reply.waiting);
      if (reply.room !== undefined) this.lines.giveBack(reply.room);
    }
  }

  private fail(message: string): void {
    if (this.failed) return;
    this.failed = true;
    this.closing?.();
    this.parts.failStop(new StorageFailed(`${trailFolder(this.parts.data)}: ${message}`));
  }
}

function repeatedBody(utc: number, { what, count, first, last }: Repeats): string {
  return `"utc":${utc},"kind":"Repeated",${what},"count":${count},"first":${first},"last":${last}`;
}
