/**
 * `sauda tape record`: a day of the running market as a file, which `sauda tape import` takes over elsewhere. A file
 * that is there is never written over, and a recording that breaks off leaves none.
 */

import { lstatSync } from 'node:fs';
import type { Command } from 'commander';
import { EXCHANGES } from '../../../base/ids.ts';
import { systemFault } from '../../../base/system-fault.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../../os/command-failed.ts';
import { DraftFile } from '../../../os/draft-file.ts';
import { READABLE } from '../../../os/durable-file.ts';
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

/** Writes what is fetched to a new file, which is there whole or not at all. Returns its size. */
async function written(file: string, fetched: Fetch): Promise<number> {
  const draft = begun(file);
  try {
    const done = await fetched((bytes) => draft.append(bytes));
    if (!done.ok) throw new CommandFailed(done.error, EXIT_FAILED);
    draft.seal();
    expectNew(file);
    draft.place();
    return done.value;
  } finally {
    draft.discard();
  }
}

function begun(file: string): DraftFile {
  try {
    expectNew(file);
    return new DraftFile(file, READABLE);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw unwritable(file, systemFault(error) ?? String(error));
  }
}

/** Refuses a path at which something stands, if only a broken link. */
function expectNew(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw unwritable(file, 'it is there already');
}

function unwritable(file: string, why: string): CommandFailed {
  return new CommandFailed(`${file} cannot be written: ${why}`, EXIT_FAILED);
}
