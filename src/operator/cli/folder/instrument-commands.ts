import type { Command } from 'commander';
import { type DataFolder, dataFolder } from '../../../folder/data-folder.ts';
import { configOf, type Environment, type Flags, withSettings } from '../command-settings.ts';
import { expectGivenFile } from './given-file.ts';

/** The work of the commands on the instrument master. */
export interface InstrumentWork {
  /** Takes over an instrument master in CSV for the next start; throws `CommandFailed` with every bad row. */
  readonly importInstruments: (folder: DataFolder, file: string) => Promise<string>;
}

interface InstrumentCommandParts extends Environment, InstrumentWork {
  readonly print: (text: string) => void;
}

/** Adds the commands on the instrument master. */
export function addInstrumentCommands(program: Command, parts: InstrumentCommandParts): void {
  const instruments = program.command('instruments').description('the instrument master');
  const importing = instruments
    .command('import <file>')
    .description('take over a symbol file in CSV, whole or not at all; the next start uses it');
  withSettings(importing, ['data']).action(async (file: string, flags: Flags) => {
    expectGivenFile(file);
    parts.print(await parts.importInstruments(dataFolder(configOf(flags, parts).data), file));
  });
}
