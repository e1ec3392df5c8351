import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../src/base/random.ts';
import { dataFolder } from '../../../src/folder/data-folder.ts';
import { faultsOfFiles } from '../../../src/folder/file-faults.ts';
import { TapeStore, tapeNames } from '../../../src/folder/tapes/tape-store.ts';
import { monthRows } from '../../kit/tapes/month.ts';
import { scratchFolder, trials } from '../trials.ts';

const MAIN = join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts');
const scratch = scratchFolder();
const SYMBOLS = ['ITC', 'TCS', 'INFY'];

/** Files of a month for each of the symbols. */
function filesIn(folder: string): readonly string[] {
  mkdirSync(folder);
  const rows = monthRows();
  return SYMBOLS.map((symbol, number) => {
    const lines = rows.map(({ date, time, open, high, low, close, volume }) => {
      return `${date} ${time},${open},${high},${low},${close},${Number(volume) + number}`;
    });
    const path = join(folder, `${symbol}.csv`);
    writeFileSync(path, ['datetime,open,high,low,close,volume', ...lines, ''].join('\n'));
    return path;
  });
}

/** Runs the import and kills it: at once when its first draft or its first tape is there, or some ms after that. */
async function killed(data: string, files: readonly string[], random: Random): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'tape', 'import', ...files, '--data', data], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const seen = random.chance(50) ? /\.tape$/ : /\.new$/;
  while (child.exitCode === null && !namesIn(join(data, 'tapes')).some((name) => seen.test(name))) await sleep(1);
  await sleep(random.below(60));
  child.kill('SIGKILL');
  await ended;
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function imported(data: string, files: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'tape', 'import', ...files, '--data', data], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
}

describe('an import of tapes that is killed', () => {
  it('leaves each tape whole or not there, and the same command brings the rest', async (t) => {
    const files = filesIn(join(scratch, 'files'));
    await trials(t, 'import of tapes killed', 2, async (random, number) => {
      const data = join(scratch, `data-${number}`);
      await killed(data, files, random);
      const folder = dataFolder(data);
      const whole = tapeNames(folder.tapes).length;
      assert.deepEqual(faultsOfFiles(folder), []);
      await imported(data, files);
      const store = new TapeStore(folder.tapes);
      assert.deepEqual(namesIn(folder.tapes).toSorted(), [...tapeNames(folder.tapes)]);
      assert.equal(store.tapes.length, files.length);
      for (const symbol of SYMBOLS) assert.equal(store.days({ exchange: 'NSE', symbol: `${symbol}-EQ` }).length, 20);
      return whole;
    });
  });
});
