import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { spanText } from '../../test/kit/span/span-text.ts';
import type { IstDay } from '../base/time.ts';
import type { SpanFile } from '../core/margin/rates/span-file.ts';
import { SpanReader } from '../reference/span/span-reader.ts';
import { SpanStore, SpanStoreError } from './span-store.ts';

const DAY = 20_780 as IstDay;
const TEXT = textOf('NSE', 24_000);
const OTHER = textOf('BSE', 80_000);

function textOf(exchange: 'NSE' | 'BSE', spot: number, day = DAY): string {
  const futures = [{ expiry: (DAY + 30) as IstDay, price: spot + 100, scan: spot / 10 }];
  return spanText({ day, exchange, underlyings: [{ code: 'NIFTY', spot, futures }] });
}

async function* pieces(text: string, size = 100): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'latin1');
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function inFolder(body: (folder: string, open: () => SpanStore) => Promise<void>): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'sauda-span-'));
  const folder = join(parent, 'span');
  try {
    await body(folder, () => new SpanStore(folder, () => new SpanReader()));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

async function taken(store: SpanStore, text: string): Promise<SpanFile> {
  const done = await store.take(pieces(text));
  assert.ok(done.ok, done.ok ? '' : done.error);
  return done.value;
}

test('a file is kept under the digest of its bytes and comes back as it was, also to a later process', () =>
  inFolder(async (folder, open) => {
    const store = open();
    assert.deepEqual(store.list(), []);
    const file = await taken(store, TEXT);
    assert.equal(file.digest, createHash('sha256').update(TEXT, 'latin1').digest('hex'));
    assert.equal(store.get(file.digest), file);
    assert.deepEqual(readdirSync(folder), [`${file.digest}.spn.gz`]);
    assert.deepEqual(open().get(file.digest), file);
  }));

test('a day has one file of each segment, and a later one takes the place of the former', () =>
  inFolder(async (_, open) => {
    const store = open();
    const [bse, nse] = [await taken(store, OTHER), await taken(store, TEXT)];
    store.use(DAY, bse);
    store.use(DAY, nse);
    store.use((DAY + 1) as IstDay, nse);
    assert.deepEqual(store.on(DAY), [nse.digest, bse.digest]);
    const later = await taken(store, textOf('NSE', 25_000));
    store.use(DAY, later);
    assert.deepEqual(store.on(DAY), [later.digest, bse.digest]);
    assert.deepEqual(store.on((DAY + 1) as IstDay), [nse.digest]);
    assert.deepEqual(open().list(), store.list());
    assert.deepEqual(
      store.remove(DAY).map(({ digest }) => digest),
      [later.digest, bse.digest],
    );
    assert.deepEqual(store.remove(DAY), []);
    assert.deepEqual([open().on(DAY), open().list().length], [[], 1]);
    assert.ok(open().get(later.digest), 'a file stays when no day uses it');
  }));

test('a damaged file leaves nothing behind, and all of its bytes are let pass', () =>
  inFolder(async (folder, open) => {
    const store = open();
    let passed = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces(TEXT.replace('<fileFormat>', '<fileFormat'))) {
        passed += piece.length;
        yield piece;
      }
    }
    const done = await store.take(counted());
    assert.ok(!done.ok);
    assert.match(done.error, /^line 3, column \d+, spanFile/);
    assert.equal(passed, TEXT.length - 1);
    assert.throws(() => readdirSync(folder), /ENOENT/);
  }));

test('a missing or wrong file is reported with its way out', () =>
  inFolder(async (folder, open) => {
    const store = open();
    const { digest } = await taken(store, TEXT);
    store.use(DAY, store.get(digest));
    const path = join(folder, `${digest}.spn.gz`);
    const packed = readFileSync(path);
    const damages: [damage: Uint8Array | undefined, words: RegExp][] = [
      [undefined, /is missing or damaged\. Restore it, or remove .*\.NFO to go on/],
      [packed.subarray(0, 60), /is missing or damaged/],
      [Buffer.from('no gzip'), /is missing or damaged/],
      [gzipSync(OTHER), /is another file than it was/],
    ];
    for (const [damage, words] of damages) {
      if (damage === undefined) rmSync(path);
      else writeFileSync(path, damage);
      assert.throws(
        () => open().get(digest),
        (error) => error instanceof SpanStoreError && words.test(error.message),
      );
    }
    writeFileSync(path, packed);
    assert.equal(open().get(digest).digest, digest);
  }));

test('a day that names no file is reported, and a file that is not of the store is passed over', () =>
  inFolder(async (folder, open) => {
    const store = open();
    store.use(DAY, await taken(store, TEXT));
    writeFileSync(join(folder, 'notes.txt'), 'of the operator');
    assert.equal(open().list().length, 1);
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.NFO'));
    writeFileSync(join(folder, name), 'none');
    assert.throws(open, SpanStoreError);
  }));
