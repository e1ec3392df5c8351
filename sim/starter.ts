import type { Random } from '../src/base/random.ts';
import { JournalDamaged } from '../src/journal/upkeep/damage.ts';
import type { Controls } from './controls.ts';
import { type FaultyDisk, MachineDied } from './faulty-disk.ts';
import type { Situations } from './situations.ts';
import { type Opened, Storage } from './storage.ts';

const FLIP_PERCENT = 12;
const DEATH_PERCENT = 18;
const DEATH_AGAIN_PERCENT = 45;
/** A start makes some dozens of calls to the disk. */
const CALLS_OF_A_START = 45;

interface Flipped {
  readonly path: string;
  readonly byte: number;
  readonly bit: number;
  /** The byte as it is now. */
  readonly value: number;
}

/**
 * Starts the service on what its last life left, through whatever goes wrong on the way: the machine dies again, and
 * bits are flipped. A bit that is flipped is found, or it changes nothing. Source: reliability F10, F12, F32, P5, P12.
 */
export class Starter {
  starts = 0;
  readonly storage: Storage;
  private readonly disk: FaultyDisk;
  private readonly random: Random;
  private readonly met: Situations;
  private readonly calm: boolean;

  constructor(disk: FaultyDisk, random: Random, met: Situations, controls: Controls) {
    this.disk = disk;
    this.random = random;
    this.met = met;
    this.calm = controls.calm === true;
    this.storage = new Storage(disk);
    disk.lies = (path) =>
      controls.liesInFlushes === true || (controls.liesInSegments === true && path.includes('segment-'));
  }

  open(): Opened {
    const { disk, random } = this;
    for (let deaths = 0; ; ) {
      const flipped = this.flip();
      if (!this.calm && random.chance(deaths > 0 ? DEATH_AGAIN_PERCENT : DEATH_PERCENT))
        disk.dieAfter = disk.calls + random.below(CALLS_OF_A_START);
      try {
        const opened = this.storage.open();
        disk.dieAfter = Number.POSITIVE_INFINITY;
        if (flipped !== undefined) this.met.met('a flipped bit changes nothing');
        this.repair(flipped);
        this.note(opened);
        return opened;
      } catch (error) {
        if (error instanceof MachineDied) {
          deaths += 1;
          this.met.met('the machine dies during a start');
          this.met.metIf(deaths > 1, 'the machine dies twice during a start');
          disk.end(random.pick(['kill', 'power']), random);
        } else if (flipped !== undefined && error instanceof JournalDamaged) {
          disk.end('kill', random);
          this.met.met('a flipped bit is found at the start');
        } else throw error;
        this.repair(flipped);
      }
    }
  }

  /** A snapshot that fails for want of a disk is done without, as the service does. */
  takeSnapshot(): void {
    try {
      this.storage.takeSnapshot();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      this.met.met('a snapshot fails and the service goes on');
    }
  }

  private note({ recovered, notes }: Opened): void {
    this.starts += 1;
    this.met.metIf(recovered.fromSnapshot > 0, 'a start uses a snapshot');
    this.met.metIf(
      notes.some((note) => note.includes('is skipped')),
      'a start passes over a damaged snapshot',
    );
    this.met.metIf(
      notes.some((note) => note.includes('cut off')),
      'a torn end of the journal is cut off',
    );
  }

  private flip(): Flipped | undefined {
    const { disk, random } = this;
    const files = disk.files().filter(([path, size]) => size > 0 && this.storage.isRead(path));
    if (this.calm || files.length === 0 || !random.chance(FLIP_PERCENT)) return undefined;
    const [path, size] = random.pick(files);
    const byte = random.below(size);
    const bit = random.below(8);
    const value = (disk.bytesOf(path)[byte] ?? 0) ^ (1 << bit);
    // A byte that became 0 could not be distinguished from one that was written again.
    if (value === 0) return undefined;
    disk.flip(path, byte, bit);
    return { path, byte, bit, value };
  }

  /** Turns the bit back, when it is still the one that was flipped: other checks look for other things. */
  private repair(flipped: Flipped | undefined): void {
    if (flipped === undefined) return;
    const { path, byte, bit, value } = flipped;
    const now = this.disk.files().find(([one]) => one === path);
    if (now !== undefined && byte < now[1] && this.disk.bytesOf(path)[byte] === value) this.disk.flip(path, byte, bit);
  }
}
