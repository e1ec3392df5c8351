import type { Random } from '../src/base/random.ts';
import type { Controls } from './controls.ts';
import type { Ending, Fault, FaultyDisk } from './faulty-disk.ts';
import type { Machine } from './machine.ts';
import type { Situations } from './situations.ts';

const FAULTS: readonly Fault[] = [
  { call: 'write', code: 'ENOSPC', forever: false },
  { call: 'write', code: 'ENOSPC', forever: true },
  { call: 'write', code: 'EIO', forever: false },
  { call: 'write', code: 'EIO', forever: true },
  { call: 'flush', code: 'EIO', forever: false },
  { call: 'flush', code: 'EIO', forever: true },
  { call: 'flush', code: 'ENOSPC', forever: false },
];

/** Out of this many instants. */
const OUT_OF = 1_000;

/**
 * Everything that goes wrong outside of the service while it runs: the plug, the disk's calls, its room and its speed.
 */
export class Trouble {
  /** The plug was pulled: the machine ends at the next look. */
  pulled = false;
  /** A snapshot is taken after this many durable records. */
  readonly snapshotEvery: number;
  private readonly disk: FaultyDisk;
  private readonly random: Random;
  private readonly met: Situations;
  private readonly calm: boolean;
  /** How much of it there is in this run. */
  private readonly measure: number;
  private inSnapshot = false;
  private inCall = false;

  constructor(disk: FaultyDisk, random: Random, met: Situations, controls: Controls) {
    this.disk = disk;
    this.random = random;
    this.met = met;
    this.calm = controls.calm === true;
    this.measure = random.pick([0, 1, 1, 1, 1, 2, 2, 2, 2, 12]);
    this.snapshotEvery = random.between(400, 2_000);
    disk.onFault = (fault) => this.noteFault(fault);
  }

  /** One instant passes. */
  stir(isBusy: boolean): void {
    const { disk, random, measure } = this;
    if (this.calm) return;
    const draw = random.below(OUT_OF);
    if (draw < measure) this.arm(random.below(isBusy ? 6 : 12));
    else if (draw < 2 * measure) this.pulled = true;
    else if (draw < 3 * measure) disk.fault = random.pick(FAULTS);
    else if (disk.fault?.forever === true && random.chance(3)) this.relent();
  }

  /** The machine dies at a call to come. */
  private arm(calls: number): void {
    this.inCall = true;
    this.disk.dieAfter = this.disk.calls + calls;
  }

  beforeSnapshot(): void {
    this.inSnapshot = true;
    if (this.calm) return;
    if (this.random.chance(8)) this.arm(this.random.below(30));
    else if (this.random.chance(6)) this.disk.fault ??= this.random.pick(FAULTS);
  }

  afterSnapshot(): void {
    this.inSnapshot = false;
  }

  /** A day has ended on its way to the disk. */
  atDayEnd(): void {
    if (!this.calm && this.random.chance(6)) this.pulled = true;
  }

  /** The disk has room again, and works. */
  relent(): void {
    this.disk.fault = undefined;
  }

  /** Nothing goes wrong that has not begun. */
  calmDown(): void {
    this.relent();
    this.pulled = false;
    this.disk.dieAfter = Number.POSITIVE_INFINITY;
  }

  /** How long the next commit takes, in milliseconds. */
  latency(): number {
    const { random } = this;
    const draw = random.below(1_000);
    if (draw < 3) return random.between(2_500, 6_000);
    return draw < 40 ? random.between(40, 400) : random.between(0, 4);
  }

  noteCrash({ engine, journal }: Machine, how: Ending, durableSeq: number, pending: number): void {
    const { met } = this;
    if (how === 'kill') met.metIf(pending > 0, 'a process is killed with records on their way');
    else met.met(pending > 0 ? 'the power fails with records on their way' : 'the power fails with nothing on its way');
    met.metIf(this.inSnapshot, 'the machine dies while a snapshot is written');
    const dying = this.inCall && !this.inSnapshot && journal.isBusy;
    met.metIf(dying, 'the machine dies between the beginning and the end of a commit');
    met.metIf(durableSeq > engine.status().durableSeq, 'the machine dies after the flush and before the reply');
  }

  ended(): void {
    this.pulled = false;
    this.inSnapshot = false;
    this.inCall = false;
  }

  private noteFault({ call, code, forever }: Fault): void {
    const { met } = this;
    if (call === 'flush') met.met('a flush fails');
    else if (code === 'EIO') met.met('a write fails');
    else met.metIf(!forever, 'the disk is full for a moment');
  }
}
