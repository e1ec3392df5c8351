/** The command that prints the risk of all accounts in an order, or of one account. The running service measures it. */
import { type Command, Option } from 'commander';
import type { RiskReport, UserRiskReport } from '../operations/risk/risk-operations.ts';
import { RISK_SORTS } from '../operations/risk/risk-ranking.ts';
import type { OperatorCommandParts } from './command-parts.ts';
import { table } from './table.ts';
import { typedWhole } from './typed-number.ts';

type Flags = Readonly<Record<string, string>> & { readonly json?: true };

/** Adds `sauda risk`. */
export function addRiskCommand(program: Command, parts: OperatorCommandParts): void {
  const risk = program
    .command('risk [userId]')
    .description('print the risk of all accounts in an order, or of one account by underlying')
    .addOption(new Option('--sort <figure>', 'the order of accounts').choices([...RISK_SORTS]).default('marginUsed'))
    .option('--limit <number>', 'how many accounts', '20')
    .option('--json', 'as an object in JSON');
  parts.withService(risk).action(async (userId: string | undefined, flags: Flags) => {
    const { sort, limit = '', json, ...rest } = flags;
    if (userId !== undefined) {
      const report = (await parts.ask(rest, `/risk/${encodeURIComponent(userId)}`)) as UserRiskReport;
      parts.print(json ? JSON.stringify(report) : userText(report));
      return;
    }
    const most = typedWhole(risk, limit, 'number of accounts');
    const report = (await parts.ask(rest, `/risk?sort=${sort}&limit=${most}`)) as RiskReport;
    parts.print(json ? JSON.stringify(report) : listText(report));
  });
}

function listText({ rows, totals, time }: RiskReport): string {
  const lines = rows.map(({ userId, marginUsed, available, usedPercent, result, largest, concentration }) => [
    userId,
    marginUsed,
    available,
    usedPercent,
    result,
    largest,
    concentration,
  ]);
  const { accounts, withPositions, losing, short, marginUsed, result } = totals;
  const counts = `${accounts} accounts, ${withPositions} with positions, ${losing} losing, ${short} with more margin than funds`;
  return [
    ...table(['user', 'margin used', 'available', 'used %', 'result', 'largest', 'share %'], lines),
    `${counts}; margin used ${marginUsed}, result ${result}, at ${time}`,
  ].join('\n');
}

function userText(report: UserRiskReport): string {
  const { userId, time, marginUsed, available, result, killed, underlyings, positionRows, openOrderCount } = report;
  const byUnderlying = underlyings.map((row) => [
    row.underlying,
    row.span,
    row.exposure,
    row.premium,
    row.cash,
    row.stake,
    row.share,
    row.result,
  ]);
  const positions = positionRows.map((row) => [
    `${row.exchange} ${row.symbol}`,
    row.product,
    String(row.netQuantity),
    row.averagePrice,
    row.lastPrice,
    row.result,
  ]);
  return [
    `risk of ${userId} at ${time}`,
    `margin used ${marginUsed}, available ${available}, result ${result}, open orders ${openOrderCount}${killed ? ', killed' : ''}`,
    '',
    ...table(['underlying', 'span', 'exposure', 'premium', 'cash', 'stake', 'share %', 'result'], byUnderlying),
    '',
    ...table(['position', 'product', 'net', 'average', 'last', 'result'], positions),
  ].join('\n');
}
