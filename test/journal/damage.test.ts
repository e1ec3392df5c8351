import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { must } from '../../src/base/assert.ts';
import { chainFault, GENESIS, lastSeq } from '../../src/journal/chain.ts';
import { GroupFile } from '../../src/journal/group-file.ts';
import type { StoredGroup } from '../../src/journal/journal.ts';
import { openSqliteJournal } from '../../src/journal/sqlite-journal.ts';
import { type Verification, verifyJournal } from '../../src/journal/verify.ts';
import { BodyPlaces, casesOf, copyFiles, EXHAUSTIVE, type Images, makeImages, Patient } from './image.ts';
import { sampleGroup } from './sample.ts';

const RECORDS = 1_000;
/** How many cases of each kind run by default; SAUDA_EXHAUSTIVE=1 runs them all. */
const SAMPLE = 4_000;
/** The header of the file and of its first page. */
const SQLITE_HEADER_BITS = 112 * 8;

let images: Images;
let whole: Verification;

before(async () => {
  images = await makeImages(RECORDS, 128);
  whole = verifyJournal(images.closed);
});

after(() => rmSync(dirname(images.closed), { recursive: true }));

/** Looks at the records without SQLite's own check: what is found is found by the chain, the layout and the mark. */
function look(folder: string): Verification {
  return verifyJournal(folder, { structure: false });
}

function isSame(found: Verification): boolean {
  return found.head.seq === whole.head.seq && found.head.hash === whole.head.hash && found.records === whole.records;
}

interface Tally {
  detected: number;
  /** The bit is in bytes that hold no record: the same records are read, to the same chain hash. */
  harmless: number[];
}

function flipAll(folder: string, file: string, sample: number, bodies?: Bodies): Tally {
  const patient = new Patient(join(folder, file));
  const tally: Tally = { detected: 0, harmless: [] };
  for (const bit of casesOf(patient.bits, sample)) {
    if (bodies?.isFound(bit)) {
      tally.detected += 1;
      continue;
    }
    const found = patient.flipped(bit, () => look(folder));
    if (found.damage !== undefined) tally.detected += 1;
    else if (isSame(found)) tally.harmless.push(bit);
    else assert.fail(`bit ${bit} of ${file} changed the history unseen: ${JSON.stringify(found)}`);
  }
  return tally;
}

/**
 * The short way for the bits of the bodies, which are most of the file: SQLite hands a body over as it is stored, so whether the
 * chain finds a flip there can be asked of the chain alone. One in a thousand goes the long way all the same, as does every bit of a sample.
 */
class Bodies {
  private readonly groups: readonly StoredGroup[];
  private readonly places: BodyPlaces;
  private asked = 0;

  constructor(folder: string) {
    const file = new GroupFile(join(folder, 'journal.db'));
    this.groups = [...file.groups(0)];
    file.close();
    const bodies = this.groups.map(({ body }) => body);
    this.places = new BodyPlaces(readFileSync(join(folder, 'journal.db')), bodies);
  }

  /** True when the bit is in a body and the chain finds it flipped; false when the file itself must be looked at. */
  isFound(bit: number): boolean {
    const at = EXHAUSTIVE ? this.places.at(bit >> 3) : undefined;
    this.asked += 1;
    if (at === undefined || this.asked % 1_000 === 0) return false;
    const group = must(this.groups[at.group], 'a group of the file');
    const before = this.groups[at.group - 1];
    const head = before === undefined ? GENESIS : { seq: lastSeq(before), hash: before.hash };
    const byte = must(group.body[at.place], 'a byte of the body');
    group.body[at.place] = byte ^ (1 << (bit & 7));
    const fault = chainFault(head, group);
    group.body[at.place] = byte;
    return fault !== undefined;
  }
}

describe('damage to a journal of 1,000 records', () => {
  it('starts from images that are whole', () => {
    for (const folder of [images.closed, images.killed, images.unmarked]) {
      const found = verifyJournal(folder);
      assert.equal(found.damage, undefined);
      assert.ok(isSame(found));
      assert.equal(found.records, RECORDS);
    }
  });

  it('finds every flipped bit of the journal file, or reads the very same records', async (t) => {
    const { detected, harmless } = flipAll(images.closed, 'journal.db', SAMPLE, new Bodies(images.closed));
    const structure = await surviveHarmless(harmless);
    t.diagnostic(`journal.db: ${detected} flips found, ${harmless.length} in bytes without records; ${structure}`);
    assert.ok(detected > harmless.length);
  });

  it('finds every flipped bit of the write-ahead log, or reads the very same records', (t) => {
    const { detected, harmless } = flipAll(images.killed, 'journal.db-wal', SAMPLE);
    t.diagnostic(`journal.db-wal: ${detected} flips found, ${harmless.length} in bytes without records`);
    assert.ok(detected > harmless.length);
  });

  it('is not misled by any flipped bit of the high-water mark', (t) => {
    const { detected, harmless } = flipAll(images.closed, 'high-water-mark', SAMPLE / 4);
    t.diagnostic(`high-water-mark: ${detected} flips found, ${harmless.length} where the other slot stands in`);
    assert.equal(detected, 0);
  });

  it('refuses the journal file cut at any byte', (t) => {
    const count = cutAll(t, images.closed, 'journal.db', 0);
    assert.ok(count > 0);
  });

  it('refuses the write-ahead log cut at any byte when all of it was acknowledged', (t) => {
    const count = cutAll(t, images.killed, 'journal.db-wal', 0);
    assert.ok(count > 0);
  });

  it('cuts exactly the torn group when its commit was never acknowledged', (t) => {
    const folder = images.unmarked;
    const patient = new Patient(join(folder, 'journal.db-wal'));
    const span = patient.bytes.length - images.logBeforeLast;
    const cases = casesOf(span, SAMPLE).map((offset) => images.logBeforeLast + offset);
    const before = patient.cut(images.logBeforeLast, () => look(folder));
    assert.equal(before.damage, undefined);
    assert.ok(before.records < RECORDS);
    for (const length of cases) {
      const found = patient.cut(length, () => look(folder));
      assert.equal(found.damage, undefined, `cut at ${length}`);
      assert.deepEqual(found.head, before.head, `cut at ${length}`);
    }
    t.diagnostic(
      `${cases.length} cuts inside the last group: each time the ${before.records} records before it, and no more`,
    );
    assert.ok(cutAll(t, folder, 'journal.db-wal', patient.bytes.length - images.logBeforeLast) > 0);
  });

  /** Cuts a file everywhere but in its last `spared` bytes: each cut must be found. */
  function cutAll(t: TestContext, folder: string, file: string, spared: number): number {
    const patient = new Patient(join(folder, file));
    const cases = casesOf(patient.bytes.length - spared, SAMPLE / 2);
    for (const length of cases) {
      const found = patient.cut(length, () => look(folder));
      assert.notEqual(found.damage, undefined, `${file} cut at ${length}: ${JSON.stringify(found)}`);
    }
    t.diagnostic(`${file}: ${cases.length} cuts, all refused`);
    return cases.length;
  }

  /** Flips that no record shows must be no danger to what is written next: refused at the start, or written around. */
  async function surviveHarmless(bits: readonly number[]): Promise<string> {
    const folder = join(dirname(images.closed), 'survivor');
    const patient = new Patient(join(images.closed, 'journal.db'));
    const stride = Math.ceil(bits.length / 40);
    const chosen = bits.filter((bit, index) => index % stride === 0 || (EXHAUSTIVE && bit < SQLITE_HEADER_BITS));
    let refused = 0;
    for (const bit of chosen) {
      rmSync(folder, { recursive: true, force: true });
      patient.flipped(bit, () => copyFiles(images.closed, folder));
      if (await takesRecords(folder)) {
        assert.deepEqual([verifyJournal(folder).damage, verifyJournal(folder).records], [undefined, RECORDS + 20]);
      } else refused += 1;
    }
    return `of ${chosen.length} of these, ${refused} were refused at the start and the others took new records unharmed`;
  }

  /** True when the journal starts and takes a group; false when its start is refused. */
  async function takesRecords(folder: string): Promise<boolean> {
    const journal = await openSqliteJournal({ folder }).catch((error: Error) => {
      assert.equal(error.name, 'JournalDamaged', error.message);
    });
    if (journal === undefined) return false;
    await journal.append(sampleGroup(RECORDS + 1, 20)).finally(() => journal.close());
    return true;
  }
});
