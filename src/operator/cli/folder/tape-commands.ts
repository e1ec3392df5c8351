/**
 * Commands on the tapes of a data folder: recorded days of real markets. They work on the folder itself; a running
 * service uses what is imported at its next start.
 */
import { type Command, Option } from 'commander';
import { EXCHANGES, type Exchange } from '../../../base/ids.ts';
import { type DataFolder, dataFolder } from '../../../folder/data-folder.ts';
import { configOf, type Environment, type Flags, withSettings } from '../command-settings.ts';
import { expectGivenFile } from './given-file.ts';

/** The words of an operator about files that do not say it all. */
export interface TapeTerms {
  readonly exchange?: Exchange;
  readonly symbol?: string;
  readonly as?: 'candles' | 'ticks';
  /** Leaves out the days of an instrument that another tape has; they are refused else. */
  readonly skipKnown?: true;
}

/** The work of the commands on tapes. Each function returns the text to print, and throws `CommandFailed`. */
export interface TapeWork {
  /** Takes files over, all of them or none. */
  readonly importTapes: (folder: DataFolder, files: readonly string[], terms: TapeTerms) => Promise<string>;
  readonly listTapes: (folder: DataFolder, asJson: boolean) => Promise<string>;
  /** `what` is an instrument, as `NSE:RELIANCE-EQ`, or the begin of a digest. */
  readonly showTape: (folder: DataFolder, what: string) => Promise<string>;
  /** `digest` is its begin. A tape that the folder's market has followed is taken away only when `isPlayed`. */
  readonly removeTape: (folder: DataFolder, digest: string, isPlayed: boolean) => Promise<string>;
}

interface TapeCommandParts extends Environment, TapeWork {
  readonly print: (text: string) => void;
}

/** Adds the commands on tapes, and returns the one that they belong to. */
export function addTapeCommands(program: Command, parts: TapeCommandParts): Command {
  const folderOf = (flags: Flags): DataFolder => dataFolder(configOf(flags, parts).data);
  const tape = program.command('tape').description('tapes: recorded days of real markets');
  const importing = tape
    .command('import <file...>')
    .description('take over files of candles or ticks, all or none; the next start uses them')
    .addOption(new Option('--exchange <exchange>', 'of the symbol').choices(EXCHANGES))
    .option('--symbol <symbol>', 'the instrument, where neither rows nor file name say it')
    .addOption(new Option('--as <kind>', 'how to read a file that could be both').choices(['candles', 'ticks']))
    .option('--skip-known', 'leave out the days of instruments that other tapes have');
  withSettings(importing, ['data']).action(async (files: string[], { exchange, symbol, as, skipKnown, ...flags }) => {
    for (const file of files) expectGivenFile(file, Number.POSITIVE_INFINITY);
    parts.print(await parts.importTapes(folderOf(flags), files, { exchange, symbol, as, skipKnown }));
  });
  const list = tape.command('list').description('print the instruments and days of each tape');
  list.option('--json', 'as an array in JSON');
  withSettings(list, ['data']).action(async ({ json, ...flags }: Flags & { json?: true }) => {
    parts.print(await parts.listTapes(folderOf(flags), json === true));
  });
  const show = tape.command('show <what>').description('print the days of an instrument or of a tape, and their gaps');
  withSettings(show, ['data']).action(async (what: string, flags: Flags) => {
    parts.print(await parts.showTape(folderOf(flags), what));
  });
  const remove = tape.command('remove <digest>').description('take a tape away while no service runs');
  remove.option('--played', 'also one that the market of the folder has followed');
  withSettings(remove, ['data']).action(async (digest: string, { played, ...flags }: Flags & { played?: true }) => {
    parts.print(await parts.removeTape(folderOf(flags), digest, played === true));
  });
  return tape;
}
