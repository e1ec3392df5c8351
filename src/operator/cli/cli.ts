/**
 * The `sauda` command: the list of its commands.
 * Commands on the running service go through its operator port; no command changes state here.
 */
import { Command, CommanderError } from 'commander';
import { withoutControls } from '../../base/printable.ts';
import type { WallMs } from '../../base/time.ts';
import { type Config, SETTING_NAMES } from '../../config.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { CommandFailed, EXIT_DONE, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { acceptedLoss } from './accepted-loss.ts';
import { addAccessCommands } from './access-commands.ts';
import { type AuditWork, addAuditCommands } from './audit-commands.ts';
import { addClockCommands } from './clock-commands.ts';
import { addClusterCommands, type ClusterWork } from './cluster-commands.ts';
import type { OperatorCommandParts } from './command-parts.ts';
import { act, ask, configOf, type Environment, type Flags, withSettings } from './command-settings.ts';
import { addCompletionCommand } from './completion/completion-command.ts';
import { addDataCommands, type DataWork } from './data-commands.ts';
import { addBranchCommand, type BranchWork } from './folder/branch-command.ts';
import { addCompareCommand, type CompareWork } from './folder/compare-command.ts';
import { addDemoCommands } from './folder/demo-commands.ts';
import { addInstrumentCommands, type InstrumentWork } from './folder/instrument-commands.ts';
import { addTapeCommands, type TapeWork } from './folder/tape-commands.ts';
import { addWhyCommand, type WhyWork } from './folder/why-command.ts';
import { addBanCommands } from './market/ban-commands.ts';
import { addCorporateActionCommands } from './market/corporate-action-commands.ts';
import { addRecordCommand } from './market/record-command.ts';
import { addSpanCommands } from './market/span-commands.ts';
import { addPageCommand } from './page-command.ts';
import { addRiskCommand } from './risk-commands.ts';
import { addScenarioCommands } from './scenario-commands.ts';
import { addStatusCommand } from './status-command.ts';
import { addSwitchCommands } from './switch-commands.ts';
import { addExplainCommand, addPledgeCommands, addUserCommands } from './user-commands.ts';

/** The parts of the service that the command line uses. */
export interface CommandLineParts
  extends Environment,
    DataWork,
    AuditWork,
    WhyWork,
    InstrumentWork,
    BranchWork,
    CompareWork,
    TapeWork,
    ClusterWork {
  readonly version: string;
  readonly now: () => WallMs;
  readonly print: (text: string) => void;
  /** Runs the service until it is asked to end. */
  readonly start: (config: Config, acceptLoss: number | undefined) => Promise<void>;
  /** Adds the commands of other rooms. */
  readonly addOthers: (program: Command) => void;
}

/**
 * The `sauda` command: every command of it, and `start` when none is named. Throws `CommandFailed`; its message is
 * empty when what is wrong with the command line was already printed.
 */
export async function runCommandLine(args: readonly string[], parts: CommandLineParts): Promise<void> {
  const program = commandLine(parts);
  expectCommand(program, args);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== EXIT_DONE) throw new CommandFailed('', EXIT_USAGE);
  }
}

/** All commands with what they take. */
export function commandLine(parts: CommandLineParts): Command {
  const program = new Command('sauda')
    .description('a brokerage trading service on a market that is always there')
    .version(parts.version)
    .exitOverride()
    .commandsGroup('Commands of the operator:');
  addStart(program, parts);
  addDemoCommands(program, parts);
  const service: OperatorCommandParts = {
    print: parts.print,
    by: operatorOf(parts),
    withService: (command) => withSettings(command, ['data', 'operatorPort']),
    act: (flags, path, body) => act(flags, parts, path, body),
    ask: (flags, path) => ask(flags, parts, path),
  };
  addAccessCommands(addUserCommands(program, { ...service, now: parts.now }), service);
  addPledgeCommands(program, service);
  addExplainCommand(program, service);
  addPageCommand(program, parts);
  addRiskCommand(program, service);
  addStatusCommand(program, service);
  addWhyCommand(program, parts);
  addClockCommands(program, service);
  addClusterCommands(program, { ...parts, ...service });
  addBanCommands(program, service);
  addSwitchCommands(program, service);
  addScenarioCommands(program, service);
  addDataCommands(program, {
    ...parts,
    withData: (command) => withSettings(command, ['data']),
    withAnchor: (command) => withSettings(command, ['data', 'auditAnchor', 'auditAnchorKey']),
    anchorOf: (flags) => configOf(flags, parts),
    refuse: (what) => {
      throw new CommandFailed(what, EXIT_FAILED);
    },
    folderOf: (flags) => dataFolder(configOf(flags, parts).data),
  });
  addBranchCommand(program, { ...parts, by: operatorOf(parts) });
  addCompareCommand(program, parts);
  addAuditCommands(program, {
    ...parts,
    withData: (command) => withSettings(command, ['data']),
    folderOf: (flags) => dataFolder(configOf(flags, parts).data),
    refuse: (what) => {
      throw new CommandFailed(what, EXIT_USAGE);
    },
  });
  addInstrumentCommands(program, parts);
  addRecordCommand(addTapeCommands(program, parts), parts);
  addSpanCommands(program, parts);
  addCorporateActionCommands(program, service);
  program.commandsGroup('Others:');
  parts.addOthers(program);
  addCompletionCommand(program, parts.print);
  return program;
}

/** Refuses a word that is not a command; otherwise it would count as an argument of the default command. */
function expectCommand(among: Command, [word, ...rest]: readonly string[], name = among.name()): void {
  if (word === undefined || word.startsWith('-') || word === 'help' || among.commands.length === 0) return;
  const command = among.commands.find((known) => known.name() === word || known.aliases().includes(word));
  if (command === undefined) {
    throw new CommandFailed(`there is no command ${withoutControls(word)}; see ${name} --help`, EXIT_USAGE);
  }
  expectCommand(command, rest, `${name} ${command.name()}`);
}

function addStart(program: Command, parts: CommandLineParts): void {
  const command = program.command('start', { isDefault: true }).description('run the service');
  command.option(
    '--accept-loss <sequence>',
    'go on with a journal whose end is missing, as the refused start names it',
  );
  withSettings(command, SETTING_NAMES).action((flags: Flags & { acceptLoss?: string }) => {
    return parts.start(configOf(flags, parts), acceptedLoss(flags.acceptLoss));
  });
}

/** The name of the operator who runs the command line, for the journal. */
function operatorOf({ env }: CommandLineParts): string {
  return env.USER || 'operator';
}
