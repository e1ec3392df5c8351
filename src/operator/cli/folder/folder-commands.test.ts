import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { type Paise, paise } from '../../../base/money.ts';
import { dayOfCivil, HOUR_MS, MINUTE_MS } from '../../../base/time.ts';
import { addBranchCommand, type BranchWish } from './branch-command.ts';
import { addCompareCommand, type ComparedUser, type CompareWish } from './compare-command.ts';

const USER: ComparedUser = {
  userId: 'SD1001',
  net: paise(10_050),
  realised: paise(12_000),
  open: paise(-950),
  charges: paise(1_000),
  orders: 3,
  fills: 2,
  turnover: paise(1_000_000),
  drawdown: paise(2_000),
};

/** Runs one command line; the wishes that it came to, and the printed text. */
async function run(...words: readonly string[]) {
  const wishes: (BranchWish | CompareWish)[] = [];
  const printed: string[] = [];
  const program = new Command('sauda').exitOverride();
  const print = (text: string): void => void printed.push(text);
  const branch = async (wish: BranchWish): Promise<string> => `branch ${wishes.push(wish)}`;
  addBranchCommand(program, { print, branch, by: 'desk' });
  const compare = async (wish: CompareWish) => {
    wishes.push(wish);
    const other = { ...USER, net: paise(20_000), orders: 0, fills: 0 };
    const better = { ...USER, net: paise(20_000), drawdown: 0 as Paise };
    const folders = wish.folders.map((folder, index) => ({
      folder,
      records: 9,
      at: '2026-11-24 15:14:59',
      users: [index === 0 ? USER : better, { ...other, userId: 'SD1002' }],
    }));
    return { since: 5, folders };
  };
  addCompareCommand(program, { print, compare });
  await program.parseAsync([...words], { from: 'user' });
  return { wish: wishes[0], printed: printed.join('\n') };
}

test('the place of a branch is a record, a time of the last day, or an instant', async () => {
  const timeOfDay = 15 * HOUR_MS + 14 * MINUTE_MS;
  const day = dayOfCivil(2026, 11, 24);
  for (const [text, place] of [
    ['48211', { record: 48_211 }],
    ['15:14', { timeOfDay }],
    ['15:14:59', { timeOfDay: timeOfDay + 59_000 }],
    ['2026-11-24T15:14:59', { timeOfDay: timeOfDay + 59_000, day }],
    ['2026-11-24 15:14', { timeOfDay, day }],
  ] as const) {
    const { wish } = await run('branch', 'from', 'to', '--at', text, '--port', '5000');
    assert.deepEqual(wish, { from: 'from', to: 'to', place, port: 5_000, by: 'desk', why: 'a branch' }, text);
  }
  assert.deepEqual((await run('branch', 'from', 'to', '--by', 'me', '--why', 'a trial')).wish, {
    from: 'from',
    to: 'to',
    by: 'me',
    why: 'a trial',
  });
});

for (const words of [
  ['--at', '24:00'],
  ['--at', '2026-11-31T10:00'],
  ['--at', 'yesterday'],
  ['--at', '-5'],
  ['--at', ''],
  ['--port', '70000'],
  ['--why', ' '],
  ['--by', 'x'.repeat(201)],
]) {
  test(`a branch with ${words.join(' ').slice(0, 40)} is refused`, async () => {
    await assert.rejects(run('branch', 'from', 'to', ...words), { name: 'CommandFailed', exitCode: 64 });
  });
}

test('a comparison prints its rows by a figure, the greatest first, without users who did nothing', async () => {
  const { printed, wish } = await run('compare', 'one', 'two');
  assert.deepEqual(wish, { folders: ['one', 'two'] });
  const [scope, , , , heads = '', first = '', second = '', ...others] = printed.split('\n');
  assert.equal(scope, 'results since record 5, the last one that is not counted');
  assert.match(heads, /^folder +user +net +realised +open +charges +orders +fills +turnover +drawdown$/);
  assert.match(first, /^two +SD1001 +200\.00 +120\.00 +-9\.50 +10\.00 +3 +2 +10000\.00 +0\.00$/);
  assert.match(second, /^one +SD1001 +100\.50 /);
  assert.deepEqual(others, []);
  const byDrop = (await run('compare', 'one', 'two', '--sort', 'drawdown', '--user', 'SD1001', '--since', '7')).printed;
  assert.match(byDrop.split('\n')[5] ?? '', /^one /);
});

test('a comparison in JSON has amounts as texts, and all users when they are asked for', async () => {
  const { since, folders, rows } = JSON.parse((await run('compare', 'one', '--json', '--all')).printed);
  assert.deepEqual([since, folders], [5, [{ folder: 'one', records: 9, at: '2026-11-24 15:14:59' }]]);
  assert.deepEqual(
    rows.map((row: Record<string, string>) => [row.folder, row.userId, row.net]),
    [
      ['one', 'SD1002', '200.00'],
      ['one', 'SD1001', '100.50'],
    ],
  );
});
