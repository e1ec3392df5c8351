/**
 * How the flags of a command, the environment and the settings file become a configuration, and what a command finds by
 * it: the data folder and the operator's port of the running service.
 */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import {
  CONFIG_ENV,
  CONFIG_FLAG,
  type Config,
  type ConfigSources,
  loadConfig,
  SETTINGS,
  type SettingName,
} from '../../config.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { expectFile, readIfPresent } from '../../os/durable-file.ts';
import { readAccessToken } from '../http/access-token.ts';
import { type OperatorAddress, sendAction, sendQuestion } from './operator-client.ts';

/** Settings are a page. */
const MOST_SETTINGS_BYTES = 1024 * 1024;

/** The settings that a command line gives, by their names. */
export type Flags = Readonly<Partial<Record<SettingName | 'config', string>>>;

/** The part of the command line that the settings are read from beside its flags. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Adds settings to the options of a command. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
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

/** The settings of a command, whole and checked. Throws `CommandFailed` with everything that is wrong with them. */
export function configOf(flags: Flags, { env }: Environment): Config {
  const sources: ConfigSources = { flags, env, readFile: readSettings };
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

/** A field of a request as a refusal names it, with the part of a list: `body/products/0`. */
const FIELD = /\b(?:body|params|querystring)\/(\w+)(?:\/\d+)?/g;
/** The form of a field is wrong; other refusals are of what the service has. */
const WRONG_FORM = /^(?:body|params|querystring)\/\S+ (?:it )?must /;
/** The flags that may be left out, and those and the arguments that have another name than their field. */
const TYPED: ReadonlyMap<string, string> = new Map([
  ['by', '--by'],
  ['why', '--why'],
  ['for', '<length>'],
  ['at', '<instant>'],
  ['orderValueCap', '--cap'],
  ['algoId', '--algo'],
  ['to', '<member>'],
  ['date', '<day>'],
]);

/** The refusal of a request, with flags and arguments of the command line in place of the fields of the request. */
function refusalOf(words: string, flags: Flags): CommandFailed {
  const typed = (_: string, field: string): string =>
    TYPED.get(field) ?? (field in flags ? `--${kebab(field)}` : `<${field}>`);
  return new CommandFailed(words.replaceAll(FIELD, typed), WRONG_FORM.test(words) ? EXIT_USAGE : EXIT_FAILED);
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Sends an action to the running service that the flags name. Throws `CommandFailed` when it is refused. */
export async function act(
  flags: Flags,
  from: Environment,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const done = await sendAction(addressOf(flags, from), path, body);
  if (!done.ok) throw refusalOf(done.error, flags);
  return done.value;
}

/** Asks the running service that the flags name. Throws as `act` does. */
export async function ask(flags: Flags, from: Environment, path: string): Promise<unknown> {
  const answer = await sendQuestion(addressOf(flags, from), path);
  if (!answer.ok) throw refusalOf(answer.error, flags);
  return answer.value;
}

/** The operator's port of the service on a data folder. Throws `CommandFailed` when no service was started there. */
export function addressOf(flags: Flags, from: Environment): OperatorAddress {
  const config = configOf(flags, from);
  const token = readAccessToken(dataFolder(config.data).operatorToken);
  if (token === undefined) {
    throw new CommandFailed(`${config.data} has no operator token: has a service been started there?`, EXIT_FAILED);
  }
  return { port: config.operatorPort, token };
}
