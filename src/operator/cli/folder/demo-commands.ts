/**
 * Commands that print the credentials of the demo users, from the data folder. The service need not run.
 */
import { type Command, Option } from 'commander';
import type { WallMs } from '../../../base/time.ts';
import type { Config } from '../../../config.ts';
import { dataFolder } from '../../../folder/data-folder.ts';
import { CommandFailed, EXIT_FAILED } from '../../../os/command-failed.ts';
import { readDemoFile } from '../../demo/demo-file.ts';
import type { IssuedCredentials } from '../../operations/issued-credentials.ts';
import { configOf, type Environment, type Flags, withSettings } from '../command-settings.ts';
import { codeAt, credentialsEnv, credentialsJson, credentialsText } from '../reports/start-report.ts';

interface DemoCommandParts extends Environment {
  readonly print: (text: string) => void;
  readonly now: () => WallMs;
}

/** Adds the commands of the demo users. */
export function addDemoCommands(program: Command, parts: DemoCommandParts): void {
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
  addTotp(program, parts);
}

function addTotp(program: Command, parts: DemoCommandParts): void {
  const totp = program.command('totp <userId>').description('print the one-time code of a demo user');
  withSettings(totp, ['data']).action((userId: string, flags: Flags) => {
    const user = demoUserOf(configOf(flags, parts), userId);
    if (user.totpSecret === undefined) throw new CommandFailed(`${userId} has no one-time codes`, EXIT_FAILED);
    parts.print(codeAt(user.totpSecret, parts.now()));
  });
}

/** A demo user of a data folder. Throws `CommandFailed` for an unknown one. */
export function demoUserOf(config: Config, userId: string): IssuedCredentials {
  const user = demoUsersOf(config).find((known) => known.userId === userId);
  if (user === undefined) throw new CommandFailed(`there is no demo user ${userId}`, EXIT_FAILED);
  return user;
}

/** The demo users of a data folder. Throws `CommandFailed` when it has none. */
function demoUsersOf(config: Config): readonly IssuedCredentials[] {
  const path = dataFolder(config.data).demoUsers;
  const file = readDemoFile(path);
  if (!file) throw new CommandFailed(`${config.data} has no demo users: the first start makes them`, EXIT_FAILED);
  return file.users;
}
