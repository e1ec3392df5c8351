/**
 * Commands that announce, withdraw and list corporate actions.
 * The rules are decided by the running service.
 */
import type { Command } from 'commander';
import type { CorporateActionRow } from '../../operations/corporate-action-operations.ts';
import { exchangeOption, type OperatorCommandParts } from '../command-parts.ts';

type Flags = Readonly<Record<string, string>>;

/** Adds the commands of corporate actions. */
export function addCorporateActionCommands(program: Command, parts: OperatorCommandParts): void {
  const corporate = program.command('corporate').description('corporate actions of companies on an ex-date');
  for (const { kind, value, about, field } of CORPORATE_ACTIONS) {
    const command = corporate.command(`${kind} <symbol> <${value}>`).description(about);
    withExDate(command, parts, async (symbol, flags, given) => {
      const body = { kind, exchange: flags.exchange, symbol, exDate: flags.exDate, [field]: given };
      parts.print(corporateText((await parts.act(flags, '/corporate-actions', body)) as CorporateActionRow));
    });
  }
  const withdraw = corporate.command('withdraw <symbol>').description('take an announcement back before its ex-date');
  withExDate(withdraw, parts, async (symbol, flags) => {
    const { exchange, exDate } = flags;
    await parts.act(flags, '/corporate-actions/withdrawals', { exchange, symbol, exDate });
    parts.print(`nothing happens to ${symbol} on ${exDate}`);
  });
  const list = corporate
    .command('list')
    .description('print what was announced, by ex-date')
    .option('--json', 'as an array in JSON');
  parts.withService(list).action(async (flags: Flags & { json?: true }) => {
    const rows = (await parts.ask(flags, '/corporate-actions')) as readonly CorporateActionRow[];
    const text = rows.map(corporateText).join('\n') || 'nothing is announced';
    parts.print(flags.json ? JSON.stringify(rows) : text);
  });
}

const CORPORATE_ACTIONS = [
  { kind: 'bonus', value: 'ratio', field: 'ratio', about: 'new shares for held ones: 1:2 is one for two' },
  { kind: 'split', value: 'ratio', field: 'ratio', about: 'another face value: 10:2 is from 10 rupees to 2' },
  { kind: 'dividend', value: 'rupees', field: 'rupees', about: 'rupees for each share' },
] as const;

type ExDateFlags = Flags & { readonly exchange: string; readonly exDate: string };

/** Adds the options that name a share and a day, and what the command does with them. */
function withExDate(
  command: Command,
  parts: OperatorCommandParts,
  run: (symbol: string, flags: ExDateFlags, given: string | undefined) => Promise<void>,
): void {
  command.requiredOption('--ex-date <day>', 'the first trading day without it, YYYY-MM-DD').addOption(exchangeOption());
  parts.withService(command).action(async (symbol: string, ...rest: unknown[]) => {
    const given = typeof rest[0] === 'string' ? rest[0] : undefined;
    await run(symbol, rest[given === undefined ? 0 : 1] as ExDateFlags, given);
  });
}

function corporateText({ exDate, exchange, symbol, kind, terms, ...row }: CorporateActionRow): string {
  const contracts = row.adjustsContracts ? ', contracts are adjusted' : '';
  return `${exDate} ${exchange} ${symbol}: ${kind}, ${terms}${contracts}${row.inEffect ? ' (in effect)' : ''}`;
}
