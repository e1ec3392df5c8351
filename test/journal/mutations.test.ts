import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { chainHash } from '../../src/journal/chain.ts';
import { openSqliteJournal } from '../../src/journal/sqlite-journal.ts';
import { verificationText, verifyJournal } from '../../src/journal/verify.ts';
import { copyFiles, type Images, makeImages } from './image.ts';
import { sampleGroup } from './sample.ts';

let images: Images;
let folder: string;

before(async () => {
  images = await makeImages(200, 16);
  folder = join(dirname(images.closed), 'mutant');
});

after(() => rmSync(dirname(images.closed), { recursive: true }));

function mutate(sql: string): void {
  rmSync(folder, { recursive: true, force: true });
  copyFiles(images.closed, folder);
  const database = new DatabaseSync(join(folder, 'journal.db'), { defensive: false });
  database.exec(sql);
  database.close();
}

/** The journal has groups of 1, 2, 4, 8, 16, 16 ... records: they start at 1, 2, 4, 8, 16, 32, 48 ... */
const SECOND = 'first_seq = 2';

const MUTATIONS: readonly (readonly [what: string, sql: string, damage: RegExp])[] = [
  ['a group removed', 'DELETE FROM record_group WHERE first_seq = 16', /starts with 32 follows sequence 15/],
  ['the first group removed', 'DELETE FROM record_group WHERE first_seq = 1', /starts with 2 follows sequence 0/],
  [
    'the last group removed',
    'DELETE FROM record_group WHERE first_seq = 192',
    /shorter than acknowledged: the journal ends at 191/,
  ],
  [
    'two bodies swapped',
    `UPDATE record_group SET body = (SELECT body FROM record_group AS other WHERE other.first_seq = 48 - record_group.first_seq)
     WHERE first_seq IN (16, 32)`,
    /group of 16, sequence 16: the chain hash does not match/,
  ],
  [
    'a group repeated at the end',
    'INSERT INTO record_group SELECT 201, count, version, body, hash FROM record_group WHERE first_seq = 1',
    /group of 201, sequence 201: the chain hash does not match/,
  ],
  [
    'a group inserted between two',
    'UPDATE record_group SET first_seq = 3, count = 1 WHERE first_seq = 2',
    /starts with 3 follows sequence 1/,
  ],
  ['a count changed', `UPDATE record_group SET count = 1 WHERE ${SECOND}`, /the chain hash does not match/],
  ['no count', `UPDATE record_group SET count = 0 WHERE ${SECOND}`, /a group of 0 records/],
  ['a version changed', `UPDATE record_group SET version = 2 WHERE ${SECOND}`, /the chain hash does not match/],
  ['a hash changed', `UPDATE record_group SET hash = zeroblob(32) WHERE ${SECOND}`, /the chain hash does not match/],
  ['a hash cut', `UPDATE record_group SET hash = zeroblob(31) WHERE ${SECOND}`, /has no body or no hash/],
  ['a newer layout', 'PRAGMA user_version = 2', /journal layout version 2 is unknown: this program reads version 1/],
  ['another program', 'PRAGMA application_id = 1', /not a journal of this program/],
  ['another table beside it', 'CREATE TABLE other (a)', /2 tables where one is expected/],
  ['another column', 'ALTER TABLE record_group ADD COLUMN more ANY', /the table is not as it was made/],
];

describe('a journal that somebody changed', () => {
  for (const [what, sql, damage] of MUTATIONS) {
    it(`is found out: ${what}`, () => {
      mutate(sql);
      const found = verifyJournal(folder);
      assert.match(verificationText(found), damage);
    });
  }

  it('is found out when the chain was made anew after a change', () => {
    mutate('SELECT 1');
    const database = new DatabaseSync(join(folder, 'journal.db'));
    const last = sampleGroup(192, 9);
    const forged = { ...last, body: String(last.body).replace('"amount":192', '"amount":999') };
    const previous = database.prepare('SELECT hash FROM record_group WHERE first_seq = 176').get()?.hash as Uint8Array;
    const hash = chainHash(Buffer.from(previous).toString('hex'), forged);
    database
      .prepare('UPDATE record_group SET body = ?, hash = ? WHERE first_seq = 192')
      .run(Buffer.from(forged.body), Buffer.from(hash, 'hex'));
    database.close();
    assert.match(verificationText(verifyJournal(folder)), /is not the one that .*high-water-mark was written for/);
  });

  it('is refused when a record is of a newer version, with a right chain', async () => {
    const at = join(dirname(images.closed), 'newer');
    const journal = await openSqliteJournal({ folder: at });
    await journal.append({ ...sampleGroup(1, 2), version: 3 });
    await journal.close();
    assert.match(
      verificationText(verifyJournal(at)),
      /record version 3 is unknown: this program reads versions 1 and 2/,
    );
  });
});

describe('the high-water mark', () => {
  it('stops the start of a journal whose tail is gone, and nothing is changed', async () => {
    await restoreOldCopy();
    const before = readFileSync(join(folder, 'journal.db'));
    const message =
      /journal\.db, sequence 201: durable history is shorter than acknowledged: the journal ends at 200, .* stands at 220; start with --accept-loss=200 .*last good sequence 200/;
    await assert.rejects(openSqliteJournal({ folder }), { name: 'JournalDamaged', message });
    for (const wrong of [199, 201, 220]) {
      await assert.rejects(openSqliteJournal({ folder, acceptLoss: wrong }), { name: 'JournalDamaged' });
    }
    assert.deepEqual(readFileSync(join(folder, 'journal.db')), before);
  });

  it('lets the start go on when the loss is accepted at exactly that sequence, once', async () => {
    await restoreOldCopy();
    const journal = await openSqliteJournal({ folder, acceptLoss: 200 });
    await journal.append(sampleGroup(201, 1));
    await journal.close();
    assert.deepEqual([verifyJournal(folder).damage, verifyJournal(folder).records], [undefined, 201]);
    const again = await openSqliteJournal({ folder });
    assert.equal(again.head().seq, 201);
    await again.close();
  });

  it('is missed when it is gone, and when neither slot can be read', async () => {
    mutate('SELECT 1');
    const mark = join(folder, 'high-water-mark');
    rmSync(mark);
    await assert.rejects(openSqliteJournal({ folder }), /high-water-mark is missing; start with --accept-loss=200/);
    writeFileSync(mark, Buffer.alloc(1_024));
    await assert.rejects(openSqliteJournal({ folder }), /high-water-mark cannot be read; start with --accept-loss=200/);
  });

  it('says so when the journal itself is gone', async () => {
    mutate('SELECT 1');
    rmSync(join(folder, 'journal.db'));
    await assert.rejects(
      openSqliteJournal({ folder }),
      /there is no journal, but .*high-water-mark says that there was one/,
    );
    writeFileSync(join(folder, 'journal.db'), '');
    await assert.rejects(openSqliteJournal({ folder }), { name: 'JournalDamaged' });
  });

  it('may stand behind the journal: the process was killed between the two writes', async () => {
    const killed = join(dirname(images.closed), 'killed-between');
    copyFiles(images.unmarked, killed);
    const journal = await openSqliteJournal({ folder: killed });
    assert.equal(journal.head().seq, 200);
    await journal.close();
    assert.equal(verifyJournal(killed).damage, undefined);
  });

  /** The journal grows by 20 records; then its file comes back as it was before. */
  async function restoreOldCopy(): Promise<void> {
    mutate('SELECT 1');
    const journal = await openSqliteJournal({ folder });
    await journal.append(sampleGroup(201, 20));
    await journal.close();
    copyFileSync(join(images.closed, 'journal.db'), join(folder, 'journal.db'));
  }
});
