import { type Command, Option } from 'commander';
import type { Exchange } from '../../base/ids.ts';

/** What commands that talk to the running service need of the command line. */
export interface OperatorCommandParts {
  readonly print: (text: string) => void;
  /** Who runs the command line, for the journal. */
  readonly by: string;
  /** Adds the settings that name the running service. */
  readonly withService: (command: Command) => Command;
  readonly act: (
    flags: Readonly<Record<string, string>>,
    path: string,
    body: Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
  readonly ask: (flags: Readonly<Record<string, string>>, path: string) => Promise<unknown>;
}

/** Adds what the journal is told of a deed. */
export function withGrounds(command: Command, parts: OperatorCommandParts): Command {
  return parts
    .withService(command)
    .requiredOption('--why <reason>', 'why, for the journal')
    .option('--by <name>', 'who, for the journal; the user of the shell when left out');
}

/** The option that tells where a symbol is listed: the exchanges of shares, where no others are named. */
export function exchangeOption(exchanges: readonly Exchange[] = ['NSE', 'BSE']): Option {
  return new Option('--exchange <exchange>', 'where the symbol is listed').choices(exchanges).default('NSE');
}
