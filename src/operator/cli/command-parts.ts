import { type Command, Option } from 'commander';
import type { Exchange } from '../../base/ids.ts';

/** The parts of the command line that commands on the running service use. */
export interface OperatorCommandParts {
  readonly print: (text: string) => void;
  /** The name of the operator who runs the command line, for the journal. */
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

/** Adds the reason that the journal keeps for an act. */
export function withGrounds(command: Command, parts: OperatorCommandParts): Command {
  return parts
    .withService(command)
    .requiredOption('--why <reason>', 'why, for the journal')
    .option('--by <name>', 'who, for the journal; the user of the shell when left out');
}

/** The option that names the exchange of a symbol: one of the exchanges of shares by default. */
export function exchangeOption(exchanges: readonly Exchange[] = ['NSE', 'BSE']): Option {
  return new Option('--exchange <exchange>', 'where the symbol is listed').choices(exchanges).default('NSE');
}
