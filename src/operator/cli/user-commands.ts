/**
 * Commands that register users, move their money and shares, and explain their limits.
 * Commands of their access are in access-commands.ts.
 */
import type { Command } from 'commander';
import type { WallMs } from '../../base/time.ts';
import type { IssuedCredentials } from '../operations/issued-credentials.ts';
import { exchangeOption, type OperatorCommandParts, withGrounds } from './command-parts.ts';
import { type LimitReport, limitText } from './reports/limit-report.ts';
import { credentialsText } from './reports/start-report.ts';
import { typedWhole } from './typed-number.ts';

interface UserCommandParts extends OperatorCommandParts {
  readonly now: () => WallMs;
}

type Flags = Readonly<Record<string, string>>;

/** Adds the commands that register users and move their money and shares; returns the group of commands. */
export function addUserCommands(program: Command, parts: UserCommandParts): Command {
  const user = program.command('user').alias('users').description('users of the running service');
  const add = user
    .command('add <userId>')
    .description('register a user and print the fresh credentials, this once')
    .requiredOption('--name <name>', 'name of the user')
    .requiredOption('--email <email>', 'e-mail address of the user')
    .option('--no-totp', 'without one-time codes');
  parts
    .withService(add)
    .action(async (userId: string, flags: Flags & { name: string; email: string; totp: boolean }) => {
      const { name, email, totp } = flags;
      const issued = await parts.act(flags, '/users', { userId, name, email, totp });
      parts.print(credentialsText([issued as IssuedCredentials], parts.now()));
    });
  const reset = user
    .command('reset <userId>')
    .description('give a user fresh credentials, end his sessions, and print the credentials, this once');
  withGrounds(reset, parts).action(async (userId: string, flags: Flags) => {
    const { why, by = parts.by } = flags;
    const issued = await parts.act(flags, `/users/${encodeURIComponent(userId)}/credentials`, { by, why });
    parts.print(credentialsText([issued as IssuedCredentials], parts.now()));
  });
  const deposit = user
    .command('deposit <userId> <rupees>')
    .alias('payin')
    .description('pay money in')
    .option('--opening', 'as the opening balance rather than a pay-in of the day');
  parts.withService(deposit).action(async (userId: string, rupees: string, flags: Flags & { opening?: true }) => {
    const body = { rupees, opening: flags.opening ?? false };
    await parts.act(flags, `/users/${encodeURIComponent(userId)}/deposits`, body);
    parts.print(`${userId} has ${rupees} rupees more`);
  });
  const payOut = user.command('payout <userId> <rupees>').description('pay money out, as far as it is free');
  parts.withService(payOut).action(async (userId: string, rupees: string, flags: Flags) => {
    await parts.act(flags, `/users/${encodeURIComponent(userId)}/payouts`, { rupees });
    parts.print(`${userId} has ${rupees} rupees less`);
  });
  const credit = user
    .command('credit <userId> <symbol> <quantity>')
    .description('credit shares')
    .addOption(exchangeOption())
    .option('--price <rupees>', 'the cost of a share; the previous close when left out');
  parts
    .withService(credit)
    .action(
      async (userId: string, symbol: string, units: string, flags: Flags & { exchange: string; price?: string }) => {
        const { exchange, price } = flags;
        const quantity = typedWhole(credit, units, 'number of shares');
        const body = { exchange, symbol, quantity, ...(price === undefined ? {} : { price }) };
        await parts.act(flags, `/users/${encodeURIComponent(userId)}/holdings`, body);
        parts.print(`${userId} has ${units} ${symbol} more`);
      },
    );
  return user;
}

/** Adds the commands that pledge and release shares. */
export function addPledgeCommands(program: Command, parts: OperatorCommandParts): void {
  for (const { name, path, about, done } of PLEDGES) {
    const command = program
      .command(`${name} <userId> <symbol> <quantity>`)
      .description(about)
      .addOption(exchangeOption());
    parts
      .withService(command)
      .action(async (userId: string, symbol: string, units: string, flags: Flags & { exchange: string }) => {
        const quantity = typedWhole(command, units, 'number of shares');
        const body = { exchange: flags.exchange, symbol, quantity };
        await parts.act(flags, `/users/${encodeURIComponent(userId)}/${path}`, body);
        parts.print(`${units} ${symbol} of ${userId} are ${done}`);
      });
  }
}

const PLEDGES = [
  { name: 'pledge', path: 'pledges', about: 'take settled shares of a user as collateral', done: 'pledged' },
  { name: 'release', path: 'releases', about: 'give pledged shares back', done: 'released' },
] as const;

/** Adds the command that explains the limits of a user. */
export function addExplainCommand(program: Command, parts: OperatorCommandParts): void {
  const explain = program.command('explain').description('explain a figure by its entries');
  const limit = explain
    .command('limit <userId>')
    .description('print every figure of the limits of a user as the entries that make it')
    .option('--json', 'as an object in JSON');
  parts.withService(limit).action(async (userId: string, flags: Flags & { json?: true }) => {
    const report = (await parts.ask(flags, `/users/${encodeURIComponent(userId)}/limit`)) as LimitReport;
    parts.print(flags.json ? JSON.stringify(report, null, 2) : limitText(report));
  });
}
