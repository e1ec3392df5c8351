import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readSync, rmSync, write, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ByteLog, CHUNK_BYTES, inMemory, type MakeStore } from '../base/logs/byte-log.ts';
import { TextLog } from '../base/logs/text-log.ts';
import { Random } from '../base/random.ts';
import { chunkFiles, chunkFilesBeside, type FileCalls } from './chunk-file.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'sauda-chunks-'));
after(() => rmSync(FOLDER, { recursive: true }));

const REAL: FileCalls = { write, writeSync, readSync };

/** A disk on which every write fails while `isFull` says so. */
function fullDisk(isFull: () => boolean): FileCalls {
  const refused = (): Error => Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const refusing = ((...args: Parameters<typeof write>) => {
    if (!isFull()) return write(...args);
    const told = args.at(-1) as unknown as (error: Error, bytes: number) => void;
    queueMicrotask(() => told(refused(), 0));
  }) as typeof write;
  return {
    ...REAL,
    write: refusing,
    writeSync: (...args) => {
      if (isFull()) throw refused();
      return writeSync(...args);
    },
  };
}

/** Pieces of random bytes in a log, with all of them in one array beside it. */
class Filled {
  readonly log: ByteLog;
  readonly random: Random;
  bytes = new Uint8Array(0);

  constructor(makeStore: MakeStore, seed: number) {
    this.log = new ByteLog(makeStore());
    this.random = new Random(seed);
  }

  add(length: number): void {
    const piece = Uint8Array.from({ length }, () => this.random.below(256));
    assert.equal(this.log.append(piece), this.bytes.length);
    const all = new Uint8Array(this.bytes.length + length);
    all.set(this.bytes);
    all.set(piece, this.bytes.length);
    this.bytes = all;
  }

  /** Reads pieces at random, and everything at once. */
  check(): void {
    this.compare(0, this.bytes.length);
    for (let turn = 0; turn < 300; turn += 1) {
      const from = this.random.below(this.bytes.length);
      this.compare(from, this.random.below(Math.min(9_000, this.bytes.length - from) + 1));
    }
  }

  private compare(from: number, length: number): void {
    const found = new Uint8Array(length);
    this.log.read(from, found);
    assert.deepEqual(Buffer.from(found), Buffer.from(this.bytes.subarray(from, from + length)));
  }
}

function contract(name: string, makeStore: () => MakeStore): void {
  describe(`a log of bytes ${name}`, () => {
    it('gives back what was added, over the ends of chunks, while it grows', async () => {
      const filled = new Filled(makeStore(), 5);
      const lengths = [88, 1, 4_096, CHUNK_BYTES - 4_185, 88, CHUNK_BYTES, 3 * CHUNK_BYTES + 7, 12];
      for (const length of lengths) {
        filled.add(length);
        filled.check();
      }
      await setImmediate();
      for (let turn = 0; turn < 30; turn += 1) filled.add(filled.random.below(20_000) + 1);
      filled.check();
    });

    it('refuses to read what was not added', () => {
      const filled = new Filled(makeStore(), 6);
      filled.add(100);
      assert.throws(() => filled.log.read(90, new Uint8Array(11)), /were appended/);
      assert.throws(() => filled.log.read(-1, new Uint8Array(1)), /were appended/);
    });

    it('keeps texts as they are, also broken and long ones', () => {
      const texts = new TextLog(new ByteLog(makeStore()()));
      const written = ['', 'first', 'रुपये ₹ 😀', '\ud800 alone', 'x'.repeat(100_000), '\u0000'];
      const places = written.map((text) => texts.add(text));
      assert.deepEqual(
        places.map(({ at, length }) => texts.read(at, length)),
        written,
      );
    });
  });
}

contract('in memory', () => inMemory);
contract('in a file', () => chunkFilesBeside(FOLDER));
contract('in a file on a full disk', () =>
  chunkFilesBeside(
    FOLDER,
    fullDisk(() => true),
  ),
);

describe('a file of chunks', () => {
  it('leaves no name behind, and those of a process that died are removed', () => {
    const folder = join(FOLDER, 'names');
    chunkFiles(folder);
    writeFileSync(join(folder, 'rows-1-0-1'), 'of a process that died');
    const filled = new Filled(chunkFiles(folder), 1);
    filled.add(2 * CHUNK_BYTES);
    assert.deepEqual(readdirSync(folder), []);
    filled.check();
  });

  it('makes no file for less than a chunk', () => {
    const filled = new Filled(chunkFilesBeside(join(FOLDER, 'nowhere')), 2);
    filled.add(CHUNK_BYTES - 1);
    filled.check();
  });

  it('stays in memory where no file can be made', () => {
    const filled = new Filled(chunkFilesBeside(join(FOLDER, 'nowhere')), 3);
    filled.add(5 * CHUNK_BYTES + 5);
    filled.check();
  });

  it('takes the chunks that a full disk refused when there is room again', async () => {
    let isFull = true;
    let written = 0;
    const disk = fullDisk(() => isFull);
    const counting = ((...args: Parameters<typeof write>) => {
      if (!isFull) written += 1;
      return disk.write(...args);
    }) as typeof write;
    const filled = new Filled(chunkFilesBeside(FOLDER, { ...disk, write: counting }), 4);
    for (let chunk = 0; chunk < 5; chunk += 1) {
      filled.add(CHUNK_BYTES);
      await setImmediate();
    }
    isFull = false;
    for (let chunk = 0; chunk < 5; chunk += 1) {
      filled.add(CHUNK_BYTES);
      await setImmediate();
    }
    assert.equal(written, 10, 'each later chunk takes an earlier one along');
    filled.check();
  });

  it('owes the disk a bounded number of chunks within one turn', () => {
    let inTurn = 0;
    let atOnce = 0;
    const slow = ((...args: Parameters<typeof write>) => {
      inTurn += 1;
      return write(...args);
    }) as typeof write;
    const calls: FileCalls = {
      ...REAL,
      write: slow,
      writeSync: (...args) => {
        atOnce += 1;
        return writeSync(...args);
      },
    };
    const filled = new Filled(chunkFilesBeside(FOLDER, calls), 7);
    for (let chunk = 0; chunk < 40; chunk += 1) filled.add(CHUNK_BYTES);
    assert.deepEqual([inTurn, atOnce], [16, 24]);
    filled.check();
  });

  it('throws in place of bytes that differ from those that were written', () => {
    let broken = false;
    const calls: FileCalls = {
      ...REAL,
      writeSync: (file, bytes, ...rest) => {
        const copy = Uint8Array.from(bytes);
        if (broken) copy[5_000] = (copy[5_000] as number) ^ 1;
        return writeSync(file, copy, ...rest);
      },
    };
    const filled = new Filled(chunkFilesBeside(FOLDER, calls), 8);
    for (let chunk = 0; chunk < 17; chunk += 1) filled.add(CHUNK_BYTES);
    broken = true;
    filled.add(CHUNK_BYTES);
    const place = 17 * CHUNK_BYTES;
    filled.log.read(place, new Uint8Array(4_096));
    assert.throws(() => filled.log.read(place + 4_096, new Uint8Array(1)), /block 273 .* not what was written/);
    assert.throws(() => filled.log.read(place, new Uint8Array(8_192)), /not what was written/);
  });

  it('throws in place of a file that became shorter', () => {
    const filled = new Filled(chunkFilesBeside(FOLDER, { ...REAL, readSync: () => 0 }), 9);
    for (let chunk = 0; chunk < 18; chunk += 1) filled.add(CHUNK_BYTES);
    assert.throws(() => filled.log.read(17 * CHUNK_BYTES, new Uint8Array(1)), /not what was written/);
  });
});
