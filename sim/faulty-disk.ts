import { dirname } from 'node:path';
import { assert } from '../src/base/assert.ts';
import type { Random } from '../src/base/random.ts';
import type { Disk, DiskFile, OpenedFor } from '../src/journal/disk/disk.ts';

/** The unit that a disk writes whole or not at all. */
export const SECTOR_BYTES = 512;

/**
 * The machine died in the middle of a call to the disk. It is not an answer of the disk: a handler that catches it must
 * let it through.
 */
export class MachineDied extends Error {
  override readonly name = 'MachineDied';
}

export type FaultCode = 'ENOSPC' | 'EIO';
/** The calls that a fault meets. */
export type FaultCall = 'write' | 'flush' | 'create' | 'rename';

/** A fault that waits for a call: the first of its kind, or from the first on every one. */
export interface Fault {
  readonly call: FaultCall;
  readonly code: FaultCode;
  readonly forever: boolean;
}

/**
 * How a machine ends: the process alone, whose written bytes stay; or with the power, when what was not flushed may be
 * gone.
 */
export type Ending = 'kill' | 'power';

/** The part of one flush that a disk that lies takes for flushed and does not keep. */
export type Lies = (path: string) => boolean;

/** One file as the process sees it and as the platter has it. */
class Content {
  bytes = new Uint8Array(0);
  size = 0;
  kept = new Uint8Array(0);
  keptSize = 0;
  /** The path of the file that this one stands for. */
  target: string | undefined;
  /** Sectors that were written and not flushed. */
  readonly unflushed = new Set<number>();

  write(position: number, bytes: Uint8Array): void {
    this.reserve(position + bytes.length);
    this.bytes.set(bytes, position);
    const first = Math.min(position, this.size);
    this.size = Math.max(this.size, position + bytes.length);
    this.touch(first, position + bytes.length);
  }

  truncate(size: number): void {
    this.reserve(size);
    if (size > this.size) this.touch(this.size, size);
    else this.bytes.fill(0, size, this.size);
    this.touch(size, size + 1);
    this.size = size;
  }

  copy(): Content {
    const other = new Content();
    other.write(0, this.bytes.subarray(0, this.size));
    other.target = this.target;
    other.keep();
    return other;
  }

  /** The platter has all of it. */
  keep(): void {
    this.keptSize = this.size;
    this.kept = grown(this.kept, this.size);
    for (const sector of this.unflushed) this.keepSector(sector);
    this.kept.fill(0, this.size);
    this.unflushed.clear();
  }

  keepSector(sector: number): void {
    const from = sector * SECTOR_BYTES;
    const to = Math.min(from + SECTOR_BYTES, this.size);
    if (to <= from) return;
    this.kept = grown(this.kept, to);
    this.kept.set(this.bytes.subarray(from, to), from);
  }

  /** The power is back: the process sees what the platter has. */
  revert(): void {
    this.bytes = this.kept.slice(0, this.keptSize);
    this.size = this.keptSize;
    this.unflushed.clear();
  }

  private touch(from: number, to: number): void {
    for (let sector = Math.floor(from / SECTOR_BYTES); sector * SECTOR_BYTES < to; sector += 1)
      this.unflushed.add(sector);
  }

  private reserve(size: number): void {
    this.bytes = grown(this.bytes, size);
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (bytes.length >= size) return bytes;
  const larger = new Uint8Array(Math.max(size, bytes.length * 2, 4 * SECTOR_BYTES));
  larger.set(bytes);
  return larger;
}

/** A name that was given or taken away and not flushed with its folder. */
interface NameChange {
  readonly folder: string;
  readonly apply: (names: Map<string, Content>) => void;
}

/**
 * A disk in memory that fails as disks fail. A cut of the power keeps any subset of the sectors that were not flushed,
 * and loses the names that were given from some point on; a call can find the disk full or broken; a flush that failed
 * has lost what it was to keep, and says nothing the next time; and the machine can die at any call. Source:
 * reliability F03 to F09, F10.
 */
export class FaultyDisk implements Disk {
  /** How many calls were made. */
  calls = 0;
  /** Ends the machine at the call of this number from now. */
  dieAfter = Number.POSITIVE_INFINITY;
  fault: Fault | undefined;
  lies: Lies = () => false;
  /** Called for each call as it begins, with its name and the path. */
  onCall: (call: string, path: string) => void = () => undefined;
  /** Called for each fault that a call meets. */
  onFault: (fault: Fault) => void = () => undefined;
  private names_ = new Map<string, Content>();
  private keptNames = new Map<string, Content>();
  private changes: NameChange[] = [];
  /** Handles of a machine that has ended are of no use to the next. */
  private machine = 0;
  private dead = false;

  /** A copy of all files as a process sees them, on a disk of another machine, flushed. */
  copy(): FaultyDisk {
    const other = new FaultyDisk();
    for (const [path, content] of this.names_) other.names_.set(path, content.copy());
    other.keptNames = new Map(other.names_);
    return other;
  }

  names(folder: string): string[] {
    this.begin('names', folder);
    const found: string[] = [];
    for (const path of this.names_.keys()) if (dirname(path) === folder) found.push(path.slice(folder.length + 1));
    return found;
  }

  open(path: string, _how: OpenedFor): DiskFile {
    this.begin('open', path);
    const named = this.names_.get(path);
    const content = named?.target === undefined ? named : this.names_.get(named.target);
    if (content === undefined) throw failure('ENOENT', path);
    return this.handle(path, content);
  }

  create(path: string): DiskFile {
    this.begin('create', path);
    this.meet('create', path);
    if (this.names_.has(path)) throw failure('EEXIST', path);
    const content = new Content();
    this.change(dirname(path), (names) => names.set(path, content));
    return this.handle(path, content);
  }

  rename(from: string, to: string): void {
    this.begin('rename', to);
    this.meet('rename', to);
    const content = this.names_.get(from);
    if (content === undefined) throw failure('ENOENT', from);
    this.change(dirname(to), (names) => {
      names.delete(from);
      names.set(to, content);
    });
  }

  /** False for a disk without links. */
  hasLinks = true;

  link(path: string, other: string): boolean {
    this.begin('link', other);
    const content = this.names_.get(path);
    if (content === undefined) throw failure('ENOENT', path);
    if (this.names_.has(other)) throw failure('EEXIST', other);
    if (this.hasLinks) this.change(dirname(other), (names) => names.set(other, content));
    return this.hasLinks;
  }

  refer(path: string, target: string): void {
    this.begin('refer', path);
    if (this.names_.has(path)) throw failure('EEXIST', path);
    const content = new Content();
    content.target = target;
    this.change(dirname(path), (names) => names.set(path, content));
  }

  isReference(path: string): boolean {
    this.begin('isReference', path);
    const content = this.names_.get(path);
    if (content === undefined) throw failure('ENOENT', path);
    return content.target !== undefined;
  }

  remove(path: string): void {
    this.begin('remove', path);
    if (!this.names_.has(path)) throw failure('ENOENT', path);
    this.change(dirname(path), (names) => names.delete(path));
  }

  flushFolder(folder: string): void {
    this.begin('flushFolder', folder);
    this.meet('flush', folder);
    this.keepNames((change) => change.folder === folder);
  }

  /** The machine ends. The next one may open files afterwards. Returns how many sectors were lost. */
  end(how: Ending, random: Random): number {
    this.dead = false;
    this.machine += 1;
    this.dieAfter = Number.POSITIVE_INFINITY;
    this.fault = undefined;
    if (how === 'kill') return 0;
    let lost = 0;
    const all = new Set([...this.names_.values(), ...this.keptNames.values()]);
    for (const content of all) lost += cut(content, random);
    const upTo = random.chance(50) ? 0 : random.between(0, this.changes.length);
    for (const { apply } of this.changes.slice(0, upTo)) apply(this.keptNames);
    this.changes = [];
    this.names_ = new Map(this.keptNames);
    for (const content of this.names_.values()) content.revert();
    return lost;
  }

  /** The paths of all files, and how large they are. */
  files(): [path: string, size: number][] {
    return Array.from(this.names_, ([path, { size }]) => [path, size]);
  }

  /** All bytes of a file, for those who look at the platter from outside. */
  bytesOf(path: string): Uint8Array {
    const content = this.names_.get(path);
    assert(content !== undefined, `there is no ${path}`);
    return content.bytes.slice(0, content.size);
  }

  /** Turns one bit of a file over, on the platter and in memory. Twice is as never. */
  flip(path: string, byte: number, bit: number): void {
    const content = this.names_.get(path);
    assert(content !== undefined && byte < content.size, 'the bit is in the file');
    for (const bytes of [content.bytes, content.kept]) {
      if (byte < bytes.length) bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
    }
  }

  private handle(path: string, content: Content): DiskFile {
    const { machine } = this;
    const begin = (call: string): void => {
      assert(machine === this.machine, 'a machine that ended does nothing more');
      this.begin(call, path);
    };
    return {
      size: () => {
        begin('size');
        return content.size;
      },
      read: (position, length) => {
        begin('read');
        return content.bytes.slice(position, Math.min(position + length, content.size));
      },
      write: (position, bytes) => {
        if (this.calls >= this.dieAfter && !this.dead) this.tear(content, position, bytes);
        begin('write');
        this.meetWrite(path, content, position, bytes);
        content.write(position, bytes);
      },
      flush: () => {
        begin('flush');
        this.meetFlush(path, content);
        if (!this.lies(path)) content.keep();
      },
      truncate: (size) => {
        begin('truncate');
        content.truncate(size);
      },
      close: () => begin('close'),
    };
  }

  private begin(call: string, path: string): void {
    this.onCall(call, path);
    if (this.dead || this.calls >= this.dieAfter) {
      this.dead = true;
      throw new MachineDied(`the machine died at ${call} of ${path}`);
    }
    this.calls += 1;
  }

  private meet(call: FaultCall, path: string): boolean {
    const { fault } = this;
    if (fault === undefined || fault.call !== call) return false;
    if (!fault.forever) this.fault = undefined;
    this.onFault(fault);
    throw failure(fault.code, path);
  }

  /** A write in which the machine dies may have stored its beginning. */
  private tear(content: Content, position: number, bytes: Uint8Array): void {
    const stored = bytes.subarray(0, (this.calls * 7_919) % (bytes.length + 1));
    if (stored.length > 0) content.write(position, stored);
  }

  /** A write that finds no room may have stored its beginning. */
  private meetWrite(path: string, content: Content, position: number, bytes: Uint8Array): void {
    if (this.fault?.call !== 'write') return;
    const stored = bytes.subarray(0, this.calls % (bytes.length + 1));
    if (stored.length > 0) content.write(position, stored);
    this.meet('write', path);
  }

  /** A flush that fails has lost what it was to keep, and the next one knows nothing of it. */
  private meetFlush(path: string, content: Content): void {
    if (this.fault?.call !== 'flush') return;
    content.unflushed.clear();
    this.meet('flush', path);
  }

  private change(folder: string, apply: NameChange['apply']): void {
    apply(this.names_);
    this.changes.push({ folder, apply });
  }

  private keepNames(which: (change: NameChange) => boolean): void {
    for (const change of this.changes) if (which(change)) change.apply(this.keptNames);
    this.changes = this.changes.filter((change) => !which(change));
  }
}

/** The content of a file after the power cut: a subset of the sectors that were not flushed, and a size between. */
function cut(content: Content, random: Random): number {
  const share = random.pick([0, 50, 50, 100]);
  let lost = 0;
  for (const sector of [...content.unflushed].sort((a, b) => a - b)) {
    if (random.chance(share)) content.keepSector(sector);
    else lost += 1;
  }
  if (content.unflushed.size > 0) {
    const [least, most] = [Math.min(content.keptSize, content.size), Math.max(content.keptSize, content.size)];
    content.keptSize = random.pick([least, most, random.between(least, most)]);
    content.kept = grown(content.kept, content.keptSize);
  }
  return lost;
}

function failure(code: FaultCode | 'ENOENT' | 'EEXIST', path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
