/**
 * Commands that hold trading up, let it go on, and widen price bands.
 * The rules are decided by the running service.
 */
import type { Command } from 'commander';
import { EXCHANGES } from '../../base/ids.ts';
import { withoutControls } from '../../base/printable.ts';
import type { BandRow } from '../http/switch-routes.ts';
import type { FixedBand, OrdersCancelled, SwitchDone, SwitchRow } from '../operations/switch-operations.ts';
import { exchangeOption, type OperatorCommandParts, withGrounds } from './command-parts.ts';
import { typedDecimal, typedWhole } from './typed-number.ts';

type Words = Readonly<Record<string, string>>;

type Flags = Words & { readonly exchange: string; readonly why: string } & {
  readonly lift?: true;
  readonly json?: true;
};

/** Adds the commands by which an operator holds trading up, lets it go on, and widens price bands. */
export function addSwitchCommands(program: Command, parts: OperatorCommandParts): void {
  const suspend = program.command('suspend <symbol>').description('stop trading in an instrument and its contracts');
  addSwitch(suspend.addOption(exchangeOption(EXCHANGES)), parts, ({ exchange }, symbol) => {
    return [{ kind: 'Suspension', exchange, symbol }];
  });
  const halt = program.command('halt <exchange>').description('stop trading on NSE, NFO, BSE, BFO or all of them');
  addSwitch(halt, parts, (_, given) => {
    return (given === 'all' ? EXCHANGES : [given]).map((exchange) => ({ kind: 'Halt', exchange }));
  });
  const reduce = program
    .command('risk-reduction <exchange>')
    .description('let NSE, NFO, BSE, BFO or all of them take immediate orders alone');
  addSwitch(reduce, parts, (_, given) => {
    return (given === 'all' ? EXCHANGES : [given]).map((exchange) => ({ kind: 'RiskReduction', exchange }));
  });
  const kill = program.command('kill').description('take no new orders and cancel the open ones');
  const account = kill.command('account <userId>').description('of one user');
  addSwitch(account, parts, (_, userId) => [{ kind: 'AccountKill', userId }]);
  const instrument = kill.command('instrument <symbol>').description('in one instrument and its contracts');
  addSwitch(instrument.addOption(exchangeOption(EXCHANGES)), parts, ({ exchange }, symbol) => {
    return [{ kind: 'InstrumentKill', exchange, symbol }];
  });
  const orders = kill
    .command('orders <userId>')
    .description('cancel the open orders of one user, who may go on trading');
  withGrounds(orders, parts).action(async (userId: string, flags: Flags) => {
    const { why, by = parts.by, ...rest } = flags;
    const path = `/users/${encodeURIComponent(userId)}/cancellations`;
    const { cancelled } = (await parts.act(rest, path, { by, why })) as OrdersCancelled;
    parts.print(`open orders of ${userId} that were cancelled: ${cancelled}`);
  });
  addSwitch(kill.command('all').description('of everybody'), parts, () => [{ kind: 'FullKill' }]);
  addList(program, parts);
  addWiden(program, parts);
  addShareBand(program, parts);
}

/** Adds what every switch takes, and what it does. */
function addSwitch(
  command: Command,
  parts: OperatorCommandParts,
  targetsOf: (flags: Flags, given: string) => readonly Words[],
): void {
  withGrounds(command.option('--lift', 'let it go on again'), parts).action(async (...args: unknown[]) => {
    const [given, flags] = typeof args[0] === 'string' ? [args[0], args[1]] : ['', args[0]];
    const { why, by = parts.by, lift, ...rest } = flags as Flags;
    const on = lift === undefined;
    for (const target of targetsOf(flags as Flags, given)) {
      const done = (await parts.act(rest, '/switches', { ...target, on, by, why })) as SwitchDone;
      parts.print(doneText(done, on));
    }
  });
}

function addList(program: Command, parts: OperatorCommandParts): void {
  const list = program
    .command('switches')
    .description('print what is held up, since when, by whom and why')
    .option('--json', 'as an array in JSON');
  parts.withService(list).action(async (flags: Flags) => {
    const rows = (await parts.ask(flags, '/switches')) as readonly SwitchRow[];
    const lines = rows.map((row) =>
      withoutControls(`${stateText(row, true)} since ${row.since}, by ${row.by}: ${row.why}`),
    );
    parts.print(flags.json ? JSON.stringify(rows) : lines.join('\n') || 'nothing is held up');
  });
}

function addWiden(program: Command, parts: OperatorCommandParts): void {
  const widen = program
    .command('widen <symbol> <percent>')
    .description('widen the price band for the rest of the day, to this share of the base on each side')
    .addOption(exchangeOption(EXCHANGES));
  withGrounds(widen, parts).action(async (symbol: string, percent: string, flags: Flags) => {
    const { exchange, why, by = parts.by } = flags;
    const body = { exchange, symbol, percent: typedDecimal(widen, percent, 'percentage'), by, why };
    const band = (await parts.act(flags, '/bands', body)) as BandRow;
    parts.print(`${band.exchange} ${band.symbol} takes prices from ${band.lower} to ${band.upper} until the day ends`);
  });
}

function addShareBand(program: Command, parts: OperatorCommandParts): void {
  const band = program
    .command('band <symbol> <percent>')
    .description('give a share without contracts the fixed price band 2, 5, 10 or 20 % from the next trading day on')
    .addOption(exchangeOption());
  withGrounds(band, parts).action(async (symbol: string, percent: string, flags: Flags) => {
    const { exchange, why, by = parts.by } = flags;
    const body = { exchange, symbol, percent: typedWhole(band, percent, 'percentage'), by, why };
    const set = (await parts.act(flags, '/share-bands', body)) as FixedBand;
    parts.print(`${set.exchange} ${set.symbol} has a price band of ${set.percent} % from ${set.from} on`);
  });
}

function stateText({ kind, name }: Pick<SwitchRow, 'kind' | 'name'>, on: boolean): string {
  switch (kind) {
    case 'Suspension':
      return `trading in ${name} ${on ? 'is suspended' : 'is not suspended'}`;
    case 'Halt':
      return `trading on ${name} ${on ? 'is halted' : 'is not halted'}`;
    case 'RiskReduction':
      return `risk reduction mode on ${name} is ${on ? 'on' : 'off'}`;
    default:
      return `the kill switch of ${name} is ${on ? 'on' : 'off'}`;
  }
}

function doneText(done: SwitchDone, on: boolean): string {
  if (!done.changed) return `${stateText(done, on)} already`;
  const killed = done.kind.endsWith('Kill') && on;
  return `${stateText(done, on)}${killed ? `; open orders that it cancelled: ${done.cancelled}` : ''}`;
}
