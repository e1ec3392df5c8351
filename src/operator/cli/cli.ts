/**
 * The `sauda` command: the list of its commands, and how their settings become a configuration.
 * Commands on the running service go through its operator port; no command changes state here.
 */
import { existsSync, openAsBlob } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import type { OrderNumber } from '../../base/ids.ts';
import { withoutControls } from '../../base/printable.ts';
import { systemFault } from '../../base/system-fault.ts';
import type { WallMs } from '../../base/time.ts';
import {
  CONFIG_ENV,
  CONFIG_FLAG,
  type Config,
  type ConfigSources,
  loadConfig,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../../config.ts';
import { type DataFolder, dataFolder } from '../../folder/data-folder.ts';
import { expectFile, readIfPresent } from '../../os/durable-file.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_DONE, EXIT_FAILED, EXIT_USAGE } from '../command-failed.ts';
import { readDemoFile } from '../demo/demo-file.ts';
import { readAccessToken } from '../http/access-token.ts';
import type { SpanRow } from '../http/span-routes.ts';
import type { IssuedCredentials } from '../operations/issued-credentials.ts';
import type { ImportedSpan } from '../operations/span-operations.ts';
import { addAccessCommands } from './access-commands.ts';
import { type AuditWork, addAuditCommands } from './audit-commands.ts';
import { addBanCommands } from './ban-commands.ts';
import type { OperatorCommandParts } from './command-parts.ts';
import { addCorporateActionCommands } from './corporate-action-commands.ts';
import { addDataCommands, type DataWork } from './data-commands.ts';
import { type OperatorAddress, sendAction, sendFile, sendQuestion } from './operator-client.ts';
import { codeAt, credentialsEnv, credentialsJson, credentialsText } from './start-report.ts';
import { addSwitchCommands } from './switch-commands.ts';
import { addExplainCommand, addPledgeCommands, addUserCommands } from './user-commands.ts';
import { type WhyReport, whyText } from './why-report.ts';

/** The parts of the service that the command line uses. */
export interface CommandLineParts extends DataWork, AuditWork {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => WallMs;
  readonly print: (text: string) => void;
  /** Runs the service until it is asked to end. */
  readonly start: (config: Config, acceptLoss: number | undefined) => Promise<void>;
  /**
   * How an order was judged, from the journal of a stopped or running service. Throws `CommandFailed` for an unknown
   * order.
   */
  readonly why: (folder: DataFolder, order: OrderNumber) => Promise<WhyReport>;
  /** Takes over an instrument master in CSV for the next start; throws `CommandFailed` with every bad row. */
  readonly importInstruments: (folder: DataFolder, file: string) => Promise<string>;
  /** Adds the commands of other rooms. */
  readonly addOthers: (program: Command) => void;
}

/** Settings are a page; published symbol and SPAN files have up to 60 MB. */
const MOST_SETTINGS_BYTES = 1024 * 1024;
const MOST_IMPORTED_BYTES = 256 * 1024 * 1024;

type Flags = Readonly<Partial<Record<SettingName | 'config', string>>>;

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
    .exitOverride();
  addStart(program, parts);
  addDemo(program, parts);
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
  addWhy(program, parts);
  addBanCommands(program, service);
  addSwitchCommands(program, service);
  addTotp(program, parts);
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
  addAuditCommands(program, {
    ...parts,
    withData: (command) => withSettings(command, ['data']),
    folderOf: (flags) => dataFolder(configOf(flags, parts).data),
    refuse: (what) => {
      throw new CommandFailed(what, EXIT_USAGE);
    },
  });
  addInstruments(program, parts);
  addSpan(program, parts);
  addCorporateActionCommands(program, service);
  parts.addOthers(program);
  return program;
}

/** Refuses a word that is not a command; otherwise it would count as an argument of the default command. */
function expectCommand(among: Command, [word, ...rest]: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || word === 'help' || among.commands.length === 0) return;
  const command = among.commands.find((known) => known.name() === word || known.aliases().includes(word));
  if (command === undefined) {
    throw new CommandFailed(`there is no command ${withoutControls(word)}; see ${among.name()} --help`, EXIT_USAGE);
  }
  expectCommand(command, rest);
}

function addStart(program: Command, parts: CommandLineParts): void {
  const command = program.command('start', { isDefault: true }).description('run the service');
  command.option(
    '--accept-loss <sequence>',
    'go on with a journal whose end is missing, as the refused start names it',
  );
  withSettings(command, SETTING_NAMES).action((flags: Flags & { acceptLoss?: string }) => {
    return parts.start(configOf(flags, parts), sequenceOf(flags.acceptLoss));
  });
}

function addDemo(program: Command, parts: CommandLineParts): void {
  const demo = program.command('demo').description('the demo users');
  const credentials = demo
    .command('credentials')
    .description('print what the demo users log in with, also while the service runs')
    .addOption(new Option('--json', 'as an array in JSON').conflicts('env'))
    .option('--env', 'as shell variables DEMO1_USER_ID and so on');
  withSettings(credentials, ['data']).action((flags: Flags & { json?: true; env?: true }) => {
    const users = demoUsersOf(configOf(flags, parts));
    if (flags.json) parts.print(credentialsJson(users));
    else if (flags.env) parts.print(credentialsEnv(users, parts.now()));
    else parts.print(credentialsText(users, parts.now()));
  });
}

function addWhy(program: Command, parts: CommandLineParts): void {
  const why = program
    .command('why <orderNumber>')
    .description('print how an order and its modifications were judged, check by check, from the journal')
    .option('--json', 'as an object in JSON');
  withSettings(why, ['data']).action(async (text: string, flags: Flags & { json?: true }) => {
    if (!/^\d{1,15}$/.test(text)) throw new CommandFailed(`${JSON.stringify(text)} is not an order number`, EXIT_USAGE);
    const report = await parts.why(dataFolder(configOf(flags, parts).data), Number(text) as OrderNumber);
    parts.print(flags.json ? JSON.stringify(report, null, 2) : whyText(report));
  });
}

function addTotp(program: Command, parts: CommandLineParts): void {
  const totp = program.command('totp <userId>').description('print the one-time code of a demo user');
  withSettings(totp, ['data']).action((userId: string, flags: Flags) => {
    const user = demoUsersOf(configOf(flags, parts)).find((known) => known.userId === userId);
    if (!user) throw new CommandFailed(`there is no demo user ${userId}`, EXIT_FAILED);
    if (user.totpSecret === undefined) throw new CommandFailed(`${userId} has no one-time codes`, EXIT_FAILED);
    parts.print(codeAt(user.totpSecret, parts.now()));
  });
}

function addInstruments(program: Command, parts: CommandLineParts): void {
  const instruments = program.command('instruments').description('the instrument master');
  const importing = instruments
    .command('import <file>')
    .description('take over a symbol file in CSV, whole or not at all; the next start uses it');
  withSettings(importing, ['data']).action(async (file: string, flags: Flags) => {
    expectGivenFile(file);
    parts.print(await parts.importInstruments(dataFolder(configOf(flags, parts).data), file));
  });
}

function addSpan(program: Command, parts: CommandLineParts): void {
  const span = program.command('span').description('SPAN parameter files of the running service');
  const importing = span
    .command('import <file>')
    .description('take over a .spn file, whole or not at all, and measure margins by it')
    .option('--date <day>', 'the day to use it on, YYYY-MM-DD; the one that it states when left out');
  withSettings(importing, ['data', 'operatorPort']).action(async (file: string, flags: Flags & { date?: string }) => {
    expectGivenFile(file);
    const query = flags.date === undefined ? '' : `?date=${encodeURIComponent(flags.date)}`;
    const sent = await sendFile(addressOf(flags, parts), `/span${query}`, await openAsBlob(file));
    if (!sent.ok) throw new CommandFailed(`${file} is not taken over: ${sent.error}`, EXIT_FAILED);
    parts.print(importedSpanText(sent.value as ImportedSpan));
  });
  const list = span
    .command('list')
    .description('print which file is used when')
    .option('--json', 'as an array in JSON');
  withSettings(list, ['data', 'operatorPort']).action(async (flags: Flags & { json?: true }) => {
    const rows = (await ask(flags, parts, '/span')) as readonly SpanRow[];
    const lines = rows.map(({ day, exchange, digest }) => `${day} ${exchange} ${digest}`);
    parts.print(flags.json ? JSON.stringify(rows) : lines.join('\n') || 'there is no SPAN file');
  });
  const remove = span.command('remove <day>').description('use no SPAN file on a day, YYYY-MM-DD, any more');
  withSettings(remove, ['data', 'operatorPort']).action(async (day: string, flags: Flags) => {
    await act(flags, parts, '/span/removals', { date: day });
    parts.print(`no SPAN file is used on ${day}`);
  });
}

function importedSpanText(imported: ImportedSpan): string {
  const { day, statedDay, exchange, underlyings, contracts, listed, covered, inForce } = imported;
  const stated = statedDay === day ? '' : ` (it states ${statedDay})`;
  return [
    `${contracts} contracts of ${underlyings} underlyings are taken over for ${exchange} on ${day}${stated}.`,
    `${covered} of the ${listed} listed contracts are among them; the others keep margins of our own.`,
    inForce ? 'Margins are measured by it from now on.' : `Margins are measured by it when ${day} begins.`,
  ].join('\n');
}

function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, env, about, fallback, alone } = SETTINGS[name];
    const words = `${about} (${env}; default ${fallback || 'none'})`;
    if (alone === undefined) command.option(`${flag} <value>`, words);
    else command.addOption(new Option(`${flag} [value]`, words).preset(alone));
  }
  return command.option(
    `${CONFIG_FLAG} <file>`,
    `settings file (${CONFIG_ENV}; default sauda.json in the data folder)`,
  );
}

/** The name of the operator who runs the command line, for the journal. */
function operatorOf({ env }: CommandLineParts): string {
  return env.USER || 'operator';
}

function configOf(flags: Flags, parts: CommandLineParts): Config {
  const sources: ConfigSources = { flags, env: parts.env, readFile: readSettings };
  const config = loadConfig(sources);
  if (config.ok) return config.value;
  throw new CommandFailed(['These settings are wrong:', ...config.error].join('\n  '), EXIT_CONFIG);
}

/** The text of a settings file; `undefined` when there is none. */
function readSettings(path: string): string | undefined {
  if (!existsSync(path)) return readIfPresent(path);
  expectFile(path, MOST_SETTINGS_BYTES);
  return readIfPresent(path);
}

/** Refuses, with the reason, a path that is not a file or cannot be read to its end. */
function expectGivenFile(path: string): void {
  if (path.trim() === '') throw new CommandFailed('the path of the file is blank', EXIT_FAILED);
  try {
    expectFile(path, MOST_IMPORTED_BYTES);
  } catch (error) {
    const fault = systemFault(error);
    if (fault === undefined) throw error;
    throw new CommandFailed(`${path} cannot be imported: ${fault}`, EXIT_FAILED);
  }
}

function sequenceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandFailed(`--accept-loss is ${JSON.stringify(text)}: it must be a sequence number`, EXIT_USAGE);
}

function demoUsersOf(config: Config): readonly IssuedCredentials[] {
  const path = dataFolder(config.data).demoUsers;
  const file = readDemoFile(path);
  if (!file) throw new CommandFailed(`${config.data} has no demo users: the first start makes them`, EXIT_FAILED);
  return file.users;
}

async function act(
  flags: Flags,
  parts: CommandLineParts,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const done = await sendAction(addressOf(flags, parts), path, body);
  if (!done.ok) throw new CommandFailed(done.error, EXIT_FAILED);
  return done.value;
}

async function ask(flags: Flags, parts: CommandLineParts, path: string): Promise<unknown> {
  const answer = await sendQuestion(addressOf(flags, parts), path);
  if (!answer.ok) throw new CommandFailed(answer.error, EXIT_FAILED);
  return answer.value;
}

function addressOf(flags: Flags, parts: CommandLineParts): OperatorAddress {
  const config = configOf(flags, parts);
  const token = readAccessToken(dataFolder(config.data).operatorToken);
  if (token === undefined) {
    throw new CommandFailed(`${config.data} has no operator token: has a service been started there?`, EXIT_FAILED);
  }
  return { port: config.operatorPort, token };
}
