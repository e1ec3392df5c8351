import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ClusterFile } from '../../../cluster/cluster-file.ts';
import { dataFolder, trailCopy } from '../../../folder/data-folder.ts';
import { type PlayedTapes, readPlayedTapes } from '../../../folder/played-tapes.ts';
import type { AskMember } from './ask-member.ts';
import { MemberFiles } from './member-files.ts';
import { OwnFiles } from './own-files.ts';
import { trailFilesFrom, trailPiece } from './trail-copies.ts';

const NOW = 1_800_000_000_000;
const NAMES = ['own', 'leader', 'other'] as const;
type Name = (typeof NAMES)[number];
const DAY_FILE = '2026-11-23.log';

function urlOf(name: Name): string {
  return `http://${name}`;
}

/** Two members over folders, and this one beside them. `answers`: called before a member does. */
async function withMembers(
  body: (scene: {
    readonly folderOf: (name: Name) => string;
    readonly files: MemberFiles;
    readonly notes: string[];
    answers: (name: Name, want: string) => Promise<void>;
    /** The tapes that the leader follows. */
    played: PlayedTapes | undefined;
    /** True while this member leads. */
    leads: boolean;
  }) => Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'sauda-member-files-'));
  const folderOf = (name: Name): string => join(scratch, name);
  for (const name of NAMES) mkdirSync(join(folderOf(name), 'audit'), { recursive: true });
  const owned = new Map(NAMES.map((name) => [name, new OwnFiles(folderOf(name), () => NOW)]));
  const ask: AskMember = async (url, { want, from }) => {
    const name = NAMES.find((one) => urlOf(one) === url) as Name;
    await scene.answers(name, want);
    const own = owned.get(name) as OwnFiles;
    await own.refresh();
    const list = { files: own.list(), entries: [] };
    if (want === 'list') return name === 'leader' ? { ...list, leads: true, played: scene.played } : list;
    if (want === 'trail') return { days: trailFilesFrom(join(folderOf(name), 'audit'), from) };
    const isDay = want.includes('-');
    const piece = isDay ? trailPiece(join(folderOf(name), 'audit'), want, from) : own.piece(want, from);
    return { bytes: piece?.toString('base64') };
  };
  const members = NAMES.map((name) => ({ name, publicUrl: urlOf(name) }));
  const file = { name: 'three', members } as unknown as ClusterFile;
  const [self] = members as [(typeof members)[number]];
  const notes: string[] = [];
  const files = new MemberFiles({
    place: { file, self, rank: 0 },
    folder: dataFolder(folderOf('own')),
    ask,
    wall: () => NOW,
    leader: () => (scene.leads ? undefined : 'leader'),
    leads: () => scene.leads,
    named: () => [],
    followEntries: () => undefined,
    marketFault: () => undefined,
    note: (words) => notes.push(words),
  });
  const scene = {
    folderOf,
    files,
    notes,
    answers: async (_name: Name, _want: string): Promise<void> => undefined,
    played: undefined as PlayedTapes | undefined,
    leads: false,
  };
  try {
    await body(scene);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

test('a member that does not answer holds up neither the files of the leader nor the trails of the others', () =>
  withMembers(async (scene) => {
    const { folderOf, files } = scene;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    scene.answers = async (name) => {
      if (name === 'other') await held;
    };
    const trail = join(folderOf('leader'), 'audit', DAY_FILE);
    const copy = join(trailCopy(dataFolder(folderOf('own')), 'leader'), DAY_FILE);
    const imported = join(folderOf('own'), 'instruments.json');
    let whole = '';
    for (const line of ['one\n', 'two\n']) {
      whole += line;
      writeFileSync(trail, whole);
      writeFileSync(join(folderOf('leader'), 'instruments.json'), whole);
      // A look goes on for as long as the other member is silent.
      while (readIfThere(copy) !== whole || readIfThere(imported) !== whole) {
        void files.look();
        await new Promise(setImmediate);
      }
    }
    writeFileSync(join(folderOf('other'), 'audit', DAY_FILE), 'of the other\n');
    letGo();
    await files.look();
    await files.look();
    assert.equal(
      readFileSync(join(trailCopy(dataFolder(folderOf('own')), 'other'), DAY_FILE), 'utf8'),
      'of the other\n',
    );
  }));

test('a leader whose list does not come is noted once', () =>
  withMembers(async (scene) => {
    scene.answers = async (_name, want) => {
      if (want === 'list') throw new Error('the leader is away');
    };
    await scene.files.look();
    await scene.files.look();
    assert.deepEqual(scene.notes, ['the leader is away']);
  }));

test('a member notes the tapes that the leader follows, as it joins and while it follows', () =>
  withMembers(async (scene) => {
    const { files, folderOf } = scene;
    const tape = { exchange: 'NSE', symbol: 'RELIANCE-EQ', from: 20_580, to: 20_599, digest: 'a1' } as const;
    const path = dataFolder(folderOf('own')).playedTapes;
    scene.played = { market: 'synthetic', tapes: [] };
    await files.look();
    assert.deepEqual(readPlayedTapes(path), { ok: true, value: undefined }, 'there is nothing to note');
    scene.played = { market: 'mixed', tapes: [tape] as unknown as PlayedTapes['tapes'] };
    await files.join();
    assert.deepEqual(readPlayedTapes(path), { ok: true, value: scene.played });
    scene.played = { market: 'mixed', tapes: [] };
    await files.look();
    assert.deepEqual(readPlayedTapes(path), { ok: true, value: scene.played });
  }));

test('a leader that was lost joins again after the next import at its successor', () =>
  withMembers(async (scene) => {
    const { files, folderOf } = scene;
    const [own, theirs] = [folderOf('own'), folderOf('leader')].map((folder) => join(folder, 'instruments.json'));
    scene.leads = true;
    writeFileSync(own as string, 'imported here');
    await files.look();
    scene.leads = false;
    writeFileSync(theirs as string, 'imported at the successor');
    await files.join();
    assert.equal(readFileSync(own as string, 'utf8'), 'imported at the successor');
  }));

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
