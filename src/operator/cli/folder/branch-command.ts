/**
 * The command that makes a branch of a data folder. The work is handed in; this file reads the command line.
 */
import { type Command, Option } from 'commander';
import { HOUR_MS, type IstDay, MINUTE_MS, parseIsoDay, SECOND_MS } from '../../../base/time.ts';
import { SETTINGS } from '../../../config.ts';
import { CommandFailed, EXIT_USAGE } from '../../../os/command-failed.ts';

/** Where a branch leaves its parent: at a record, or at an instant of the market; at the end when it is absent. */
export type BranchPlace =
  | { readonly record: number }
  /** A time of day in milliseconds since midnight in IST, of the day of the last record when none is named. */
  | { readonly timeOfDay: number; readonly day?: IstDay };

/** A branch as an operator asks for it. */
export interface BranchWish {
  readonly from: string;
  readonly to: string;
  readonly place?: BranchPlace;
  /** The ports of its service; free ones when they are absent. */
  readonly port?: number;
  readonly operatorPort?: number;
  readonly by: string;
  readonly why: string;
}

/** The work of the command. */
export interface BranchWork {
  /** Makes a branch of a stopped or running service's data folder, and returns the report. Throws `CommandFailed`. */
  readonly branch: (wish: BranchWish) => Promise<string>;
}

interface BranchCommandParts extends BranchWork {
  readonly print: (text: string) => void;
  readonly by: string;
}

interface Flags {
  readonly at?: string;
  readonly why: string;
  readonly by?: string;
  readonly port?: string;
  readonly operatorPort?: string;
}

/** The longest reason and the longest name of an operator. */
const MOST_WORDS = 200;

const AT = 'where it leaves the history: 2026-11-24T15:14:59 or 15:14:59 in IST, or the number of a record';

/** Adds the command that makes a branch. */
export function addBranchCommand(program: Command, parts: BranchCommandParts): void {
  program
    .command('branch <folder> <newFolder>')
    .description('go on in a new data folder from where another one is, or was, also while its service runs')
    .option('--at <place>', AT)
    .addOption(new Option('--why <reason>', 'why, for the journal').default('a branch'))
    .option('--by <name>', 'who, for the journal; the user of the shell when left out')
    .option('--port <port>', 'port of the branch; a free one when absent')
    .option('--operator-port <port>', "operator's port of the branch; a free one when absent")
    .action(async (from: string, to: string, { at, why, by = parts.by, port, operatorPort }: Flags) => {
      expectWords(why, '--why');
      expectWords(by, '--by');
      const wish = {
        from,
        to,
        ...(at !== undefined && { place: placeOf(at) }),
        ...(port !== undefined && { port: portOf(port) }),
        ...(operatorPort !== undefined && { operatorPort: portOf(operatorPort) }),
        by,
        why,
      };
      parts.print(await parts.branch(wish));
    });
}

/** The place that a text names. Throws `CommandFailed`. */
function placeOf(text: string): BranchPlace {
  if (/^\d{1,15}$/.test(text)) return { record: Number(text) };
  const [, date, hours, minutes, seconds] = /^(?:(.{10})[T ])?(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const day = date === undefined ? undefined : parseIsoDay(date);
  const isReal = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds ?? 0) < 60;
  if (!isReal || (date !== undefined && day === undefined)) {
    const words = 'it must be an instant such as 2026-11-24T15:14:59 or 15:14:59, or the number of a record';
    throw new CommandFailed(`--at is ${JSON.stringify(text)}: ${words}`, EXIT_USAGE);
  }
  const timeOfDay = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds ?? 0) * SECOND_MS;
  return { timeOfDay, ...(day !== undefined && { day }) };
}

/** Throws `CommandFailed`. */
function portOf(text: string): number {
  const { parse, takes } = SETTINGS.port;
  const port = parse(text);
  if (port !== undefined) return port;
  throw new CommandFailed(`the port is ${JSON.stringify(text)}: it must be ${takes}`, EXIT_USAGE);
}

/** The journal keeps 1 to 200 characters of each. Throws `CommandFailed`. */
function expectWords(text: string, flag: string): void {
  if (text.trim() !== '' && text.length <= MOST_WORDS) return;
  throw new CommandFailed(`${flag} must have 1 to ${MOST_WORDS} characters`, EXIT_USAGE);
}
