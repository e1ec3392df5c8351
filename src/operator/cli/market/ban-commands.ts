/**
 * Commands of the ban list: underlyings whose contracts may only be reduced.
 * The rules are decided by the running service.
 */
import type { Command } from 'commander';
import { usedLimit } from '../../../core/broker/orders/ban.ts';
import type { Ban, BanOfOperator } from '../../operations/ban-operations.ts';
import { exchangeOption, type OperatorCommandParts } from '../command-parts.ts';

type Flags = Readonly<Record<string, string>>;

/** Adds the commands of the ban list. */
export function addBanCommands(program: Command, parts: OperatorCommandParts): void {
  const ban = program.command('ban').description('underlyings whose contracts may only be reduced');
  for (const { name, banned, about, done } of BANS) {
    const command = ban.command(`${name} <symbol>`).description(about).addOption(exchangeOption());
    parts.withService(command).action(async (symbol: string, flags: Flags & { exchange: string }) => {
      const by = parts.by;
      const set = await parts.act(flags, '/bans', { exchange: flags.exchange, symbol, banned, by });
      const { symbol: share, overLimit } = set as BanOfOperator;
      const whose = overLimit ? ' that operators set' : '';
      const rest = overLimit ? '; that of the limit of positions goes on' : '';
      parts.print(`the ban period${whose} of ${share} on ${flags.exchange} ${done}${rest}`);
    });
  }
  const list = ban.command('list').description('print the ban list').option('--json', 'as an array in JSON');
  parts.withService(list).action(async (flags: Flags & { json?: true }) => {
    const bans = (await parts.ask(flags, '/bans')) as readonly Ban[];
    const lines = bans.map((ban) => `${ban.exchange} ${ban.symbol}: ${reasonOf(ban)}`);
    parts.print(flags.json ? JSON.stringify(bans) : lines.join('\n') || 'no underlying is banned');
  });
}

function reasonOf(ban: Ban): string {
  if (ban.reason === 'operator') return 'set by an operator';
  return `since ${ban.since}, as open interest was ${usedLimit(ban)}`;
}

const BANS = [
  { name: 'add', banned: true, about: 'begin the ban period of a share', done: 'has begun' },
  { name: 'remove', banned: false, about: 'end the ban period of a share', done: 'is over' },
] as const;
