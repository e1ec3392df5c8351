import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { IstDay } from '../../../base/time.ts';
import { dataFolder } from '../../../folder/data-folder.ts';
import { type SpanEntry, SpanStore } from '../../../folder/span-store.ts';
import { newKeys } from '../../../gateway/credentials/key-file.ts';
import { SHARED_FILES_PATH } from '../../../gateway/standby/shared-files.ts';
import { ROOM_KEPT } from '../../../os/disk-room.ts';
import type { AskMember } from './ask-member.ts';
import { type Carried, FileCarrier } from './file-carrier.ts';
import { filesAnswer } from './files-desk.ts';
import { questionTarget } from './marked-question.ts';
import { OwnFiles } from './own-files.ts';

const KEYS = newKeys();
const NOW = 1_800_000_000_000;
const DAY = 20_000 as IstDay;
/** A little more than two pieces. */
const LARGE = Buffer.alloc(1_700_000, 'a tape of many pieces; ');

function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** One member: its folder and the parts over it. */
class Place {
  readonly folder: string;
  readonly own: OwnFiles;
  readonly span: SpanStore;
  agreed = '';

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder);
    this.own = new OwnFiles(folder, () => NOW);
    this.span = new SpanStore(dataFolder(folder).spanFiles, () => assert.fail('nothing is read'));
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'latin1');
  }

  /** A SPAN file and the day that it is used on. Returns its entry. */
  importSpan(content: string, day = DAY): SpanEntry {
    const entry = { day, exchange: 'NFO', digest: digestOf(content) } as const;
    this.write(`span/${entry.digest}.spn.gz`, gzipSync(content));
    this.span.follow([...this.span.list(), entry]);
    return entry;
  }
}

interface Pair {
  readonly leader: Place;
  readonly member: Place;
  /** The targets that were asked for. */
  readonly asked: string[];
  /** Called before each answer. */
  before: (target: string) => void;
  /** The free bytes of the member's disk. */
  free: number;
  readonly carrier: FileCarrier;
  carry(): Promise<Carried>;
}

async function withPair(body: (pair: Pair) => Promise<void>, keys = KEYS): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'sauda-carried-'));
  const [leader, member] = [new Place(join(scratch, 'leader')), new Place(join(scratch, 'member'))];
  const asked: string[] = [];
  const desk = {
    shared: () => ({ identity: 'i', keys: 'k' }),
    opened: () => ({ keys: KEYS, own: leader.own }),
    entries: () => leader.span.list(),
    leads: () => true,
    played: () => undefined,
    trail: join(leader.folder, 'audit'),
    wall: () => NOW,
  };
  const ask: AskMember = async (_url, question) => {
    const target = questionTarget(question, keys, NOW);
    asked.push(target);
    pair.before(target);
    return JSON.parse(JSON.stringify(filesAnswer(desk, target) ?? null));
  };
  const carrier = new FileCarrier({
    folder: dataFolder(member.folder),
    own: member.own,
    ask,
    agreed: () => member.agreed,
    agree: (digest) => {
      member.agreed = digest;
    },
    followEntries: (entries) => member.span.follow(entries),
    free: () => pair.free,
  });
  const pair: Pair = {
    leader,
    member,
    asked,
    before: () => undefined,
    free: Number.POSITIVE_INFINITY,
    carrier,
    carry: async () => {
      await leader.own.refresh();
      return carrier.carry('http://leader', await carrier.listOf('http://leader'));
    },
  };
  try {
    await body(pair);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const TAPE = `tapes/${digestOf('the file of the tape')}.tape`;

test('a file that an operator imports at the leader reaches a member, and nothing is brought twice', () =>
  withPair(async ({ leader, member, asked, carry }) => {
    leader.write('instruments.json', 'instruments');
    leader.write(TAPE, LARGE);
    leader.write('journal/00.seg', 'a secret of the leader');
    leader.write('tapes/notes.txt', 'no tape');
    const entry = leader.importSpan('margins');
    const { brought, conflicts } = await carry();
    assert.deepEqual([...brought].sort(), ['instruments.json', `span/${entry.digest}.spn.gz`, TAPE].sort());
    assert.deepEqual(conflicts, []);
    for (const path of brought) assert.equal(member.read(path), leader.read(path));
    assert.deepEqual(member.span.list(), [entry]);
    assert.deepEqual(readdirSync(join(member.folder, 'tapes')), [TAPE.slice(6)]);
    asked.length = 0;
    assert.deepEqual(await carry(), { brought: [], conflicts: [], failures: [] });
    assert.equal(asked.length, 1, 'the list alone');
  }));

test('a later import takes the place of the one before, and a day without a file loses its own', () =>
  withPair(async ({ leader, member, carry }) => {
    leader.write('instruments.json', 'first');
    const [old, other] = [leader.importSpan('old'), leader.importSpan('other', (DAY + 1) as IstDay)];
    await carry();
    leader.write('instruments.json', 'a second one');
    leader.span.remove(old.day);
    assert.deepEqual((await carry()).brought, ['instruments.json']);
    assert.equal(member.read('instruments.json'), 'a second one');
    assert.deepEqual(member.span.list(), [other]);
  }));

test('instruments that were imported at a member alone stay, and are said to differ', () =>
  withPair(async ({ leader, member, carry }) => {
    leader.write('instruments.json', 'of the leader');
    member.write('instruments.json', 'of the member');
    member.write(TAPE, 'a tape');
    assert.deepEqual((await carry()).conflicts, [
      'instruments.json is another one than that of the leader',
      `the leader has no ${TAPE}`,
    ]);
    assert.equal(member.read('instruments.json'), 'of the member');
  }));

test('a fetch that broke goes on where it stopped', () =>
  withPair(async (pair) => {
    const { leader, member, asked, carry } = pair;
    leader.write(TAPE, LARGE);
    pair.before = (target) => {
      if (/from=1\d{6}/.test(target)) throw new Error('the connection broke');
    };
    assert.match((await carry()).failures.join(), /the connection broke/);
    assert.equal(member.own.get(TAPE), undefined);
    pair.before = () => undefined;
    asked.length = 0;
    assert.deepEqual((await carry()).brought, [TAPE]);
    assert.equal(asked.length, 2, 'the list and the last piece');
    assert.equal(member.read(TAPE), LARGE.toString('latin1'));
  }));

test('a file that is not what the list says is not taken, and is fetched again from its begin', () =>
  withPair(async (pair) => {
    const { leader, member, carry } = pair;
    leader.write(TAPE, LARGE);
    const other = Buffer.from(LARGE);
    other[1_600_000] = (other[1_600_000] ?? 0) ^ 1;
    pair.before = (target) => {
      if (/from=1\d{6}/.test(target)) leader.write(TAPE, other);
    };
    assert.match((await carry()).failures.join(), /sends another tapes\S+ than it lists/);
    assert.deepEqual(readdirSync(join(member.folder, 'tapes')), []);
    leader.write(TAPE, LARGE);
    pair.before = () => undefined;
    assert.deepEqual((await carry()).brought, [TAPE]);
  }));

test('files that the leader cannot give hold up none of the others, however many they are', () =>
  withPair(async (pair) => {
    const { leader, member, carry } = pair;
    const bad = Array.from({ length: 7 }, (_, nth) => leader.importSpan(`bad ${nth}`, (DAY + nth) as IstDay));
    const good = Array.from({ length: 3 }, (_, nth) => leader.importSpan(`good ${nth}`, (DAY + 10 + nth) as IstDay));
    await leader.own.refresh();
    const pathOf = ({ digest }: SpanEntry): string => `span/${digest}.spn.gz`;
    const lost = bad.map((entry) => leader.own.get(pathOf(entry))?.digest ?? '');
    pair.before = (target) => {
      if (lost.some((digest) => target.includes(digest))) throw new Error('the disk of the leader is broken');
    };
    const rounds = [await carry(), await carry(), await carry()];
    for (const entry of good) assert.equal(member.read(pathOf(entry)), leader.read(pathOf(entry)));
    for (const { failures } of rounds) {
      assert.equal(failures.length, 3);
      assert.match(failures.join(), /was not brought: the disk of the leader is broken/);
    }
    assert.equal(new Set(rounds.flatMap(({ failures }) => failures)).size, bad.length, 'each is tried in its turn');
    pair.before = () => undefined;
    assert.equal((await carry()).brought.length, bad.length);
  }));

test('a file that would fill the disk is not fetched, and comes when there is room', () =>
  withPair(async (pair) => {
    const { leader, member, asked, carry } = pair;
    leader.write(TAPE, LARGE);
    leader.write('instruments.json', 'small');
    pair.free = ROOM_KEPT + LARGE.length - 1;
    const { brought, failures } = await carry();
    assert.deepEqual(brought, ['instruments.json']);
    assert.match(failures.join(), /tapes\S+ was not brought: the disk of \S+ has 258 MiB free, and 258 MiB are needed/);
    assert.equal(asked.length, 2, 'the list and the small file');
    pair.free = ROOM_KEPT + LARGE.length;
    assert.deepEqual((await carry()).brought, [TAPE]);
    assert.equal(member.read(TAPE), LARGE.toString('latin1'));
  }));

test('a SPAN file that the records name is brought from whoever has it', () =>
  withPair(async ({ leader, member, carrier }) => {
    const { digest } = leader.importSpan('margins');
    leader.importSpan('others');
    await leader.own.refresh();
    assert.ok(!carrier.hasSpanFile(digest));
    await carrier.bringSpanFiles('http://leader', [digest]);
    assert.ok(carrier.hasSpanFile(digest));
    assert.deepEqual(readdirSync(join(member.folder, 'span')), [`${digest}.spn.gz`]);
  }));

test('only a member of this minute is answered', async () => {
  await withPair(async ({ carry }) => {
    await assert.rejects(carry(), /not one of a member/);
  }, newKeys());
  await withPair(async ({ leader }) => {
    leader.write('instruments.json', 'x');
    await leader.own.refresh();
    const [file] = leader.own.list();
    const desk = {
      shared: () => ({ identity: 'i', keys: 'k' }),
      opened: () => ({ keys: KEYS, own: leader.own }),
      entries: () => [],
      leads: () => true,
      played: () => undefined,
      trail: join(leader.folder, 'audit'),
      wall: () => NOW,
    };
    const target = questionTarget({ want: file?.digest ?? '', from: 0 }, KEYS, NOW);
    assert.deepEqual(filesAnswer(desk, target), { bytes: Buffer.from('x').toString('base64') });
    assert.deepEqual(filesAnswer(desk, SHARED_FILES_PATH), { identity: 'i', keys: 'k' });
    const forged = [
      target.replace('from=0', 'from=1'),
      target.replace(/want=\w+/, 'want=list'),
      target.replace(/mark=\w/, 'mark=x'),
      target.replace(/&mark=\w+/, ''),
      questionTarget({ want: 'list', from: 0 }, KEYS, NOW - 61_000),
      questionTarget({ want: '../secret.key', from: 0 }, KEYS, NOW),
      `${SHARED_FILES_PATH}?want=list`,
    ];
    for (const one of forged) assert.equal(filesAnswer(desk, one), undefined, one);
  });
});
