/**
 * `sauda tape record`: a day of the running market as a file, which `sauda tape import` takes over elsewhere. A file
 * that is there is never written over, and a recording that breaks off leaves none.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { Command } from 'commander';
import { EXCHANGES } from '../../../base/ids.ts';
import { systemFault } from '../../../base/system-fault.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../../os/command-failed.ts';
import { addressOf, type Environment, type Flags, withSettings } from '../command-settings.ts';
import { fetchFile } from '../operator-client.ts';

interface RecordParts extends Environment {
  readonly print: (text: string) => void;
}

const NAME = /^([A-Z]+):(.{1,64})$/;

export function addRecordCommand(tape: Command, parts: RecordParts): void {
  const record = tape
    .command('record <instrument>')
    .description('write a day of the running market to a file that can be imported')
    .option('--day <date>', 'YYYY-MM-DD; today up to the present when left out')
    .option('--to <file>', 'SYMBOL.jsonl.zst in the present folder when left out');
  withSettings(record, ['data', 'operatorPort']);
  record.action(async (instrument: string, { day, to, ...flags }: Flags & { day?: string; to?: string }) => {
    const [, exchange = '', symbol = ''] = NAME.exec(instrument) ?? [];
    if (!EXCHANGES.some((known) => known === exchange)) {
      throw new CommandFailed(`${instrument} is not an instrument: write it as NSE:RELIANCE-EQ`, EXIT_USAGE);
    }
    const file = to ?? `${symbol.replace(/[^\w-]/g, '_')}.jsonl.zst`;
    const query = new URLSearchParams({ exchange, symbol, ...(day === undefined ? {} : { day }) });
    const bytes = await written(file, (take) => fetchFile(addressOf(flags, parts), `/recording?${query}`, take));
    parts.print(`${file} has ${bytes} bytes; import it with: sauda tape import ${file}`);
  });
}

type Fetch = (take: (bytes: Uint8Array) => void) => ReturnType<typeof fetchFile>;

/** Writes what is fetched to a new file. Returns its size. */
async function written(file: string, fetched: Fetch): Promise<number> {
  const handle = opened(file);
  const done = await fetched((bytes) => void writeSync(handle, bytes)).finally(() => closeSync(handle));
  if (done.ok) return done.value;
  rmSync(file, { force: true });
  throw new CommandFailed(done.error, EXIT_FAILED);
}

function opened(file: string): number {
  try {
    return openSync(file, 'wx', 0o644);
  } catch (error) {
    throw new CommandFailed(`${file} cannot be written: ${systemFault(error) ?? String(error)}`, EXIT_FAILED);
  }
}
