/**
 * The command that compares what users did and won in several data folders. The work is handed in; this file reads the
 * command line, sorts the rows and prints them.
 */
import { type Command, Option } from 'commander';
import { formatRupees } from '../../../base/decimal.ts';
import type { Paise } from '../../../base/money.ts';
import { table } from '../table.ts';
import { typedWhole } from '../typed-number.ts';

/** The orders and the results of one user of a folder. Amounts in paise. */
export interface ComparedUser {
  readonly userId: string;
  /** Results less charges. */
  readonly net: Paise;
  readonly realised: Paise;
  readonly open: Paise;
  readonly charges: Paise;
  readonly orders: number;
  readonly fills: number;
  /** Price times quantity of all fills. */
  readonly turnover: Paise;
  /** The greatest fall of the result before charges from an earlier height; 0 when it never fell. */
  readonly drawdown: Paise;
}

export interface ComparedFolder {
  /** The path as it was given. */
  readonly folder: string;
  /** The name of its parent, when it is a branch. */
  readonly branchOf?: string;
  /** Its last record, and the instant of that in IST. */
  readonly records: number;
  readonly at: string;
  readonly users: readonly ComparedUser[];
}

export interface Comparison {
  /** The last record that is not counted; 0 when all are. */
  readonly since: number;
  readonly folders: readonly ComparedFolder[];
}

/** A comparison as an operator asks for it. */
export interface CompareWish {
  readonly folders: readonly string[];
  /** All users when it is absent. */
  readonly user?: string;
  /** The last record that is not counted; the last common one when it is absent. */
  readonly since?: number;
}

/** The work of the command. */
export interface CompareWork {
  /** Compares data folders of stopped or running services. Throws `CommandFailed`. */
  readonly compare: (wish: CompareWish) => Promise<Comparison>;
}

interface CompareCommandParts extends CompareWork {
  readonly print: (text: string) => void;
}

const SORTS = ['net', 'realised', 'open', 'charges', 'orders', 'fills', 'turnover', 'drawdown'] as const;
type Sort = (typeof SORTS)[number];

interface Flags {
  readonly user?: string;
  readonly since?: string;
  readonly sort: Sort;
  readonly all?: true;
  readonly json?: true;
}

interface Row extends ComparedUser {
  readonly folder: string;
  readonly at: string;
}

/** Adds the command that compares data folders. */
export function addCompareCommand(program: Command, parts: CompareCommandParts): void {
  const compare = program
    .command('compare <folders...>')
    .description('compare results, charges, orders and drawdown of data folders since their common record')
    .option('--user <userId>', 'of one user alone')
    .option('--since <record>', 'since this record, 0 for the beginning; since the last common one when absent')
    .addOption(new Option('--sort <figure>', 'the order of rows, the greatest first').choices(SORTS).default('net'))
    .option('--all', 'with users who placed no order')
    .option('--json', 'as an object in JSON')
    .action(async (folders: string[], { user, since, sort, all, json }: Flags) => {
      const wish = {
        folders,
        ...(user !== undefined && { user }),
        ...(since !== undefined && { since: typedWhole(compare, since, 'number of a record') }),
      };
      const comparison = await parts.compare(wish);
      const rows = sorted(comparison, sort, all === true || user !== undefined);
      parts.print(json ? JSON.stringify(jsonOf(comparison, rows)) : reportText(comparison, rows));
    });
}

function sorted({ folders }: Comparison, sort: Sort, all: boolean): Row[] {
  const rows = folders.flatMap(({ folder, at, users }) => users.map((user) => ({ ...user, folder, at })));
  return rows.filter(({ orders, fills }) => all || orders + fills > 0).sort((a, b) => b[sort] - a[sort]);
}

function jsonOf({ since, folders }: Comparison, rows: readonly Row[]): object {
  return { since, folders: folders.map(({ users, ...folder }) => folder), rows: rows.map(textsOf) };
}

function textsOf(row: Row): object {
  const { net, realised, open, charges, turnover, drawdown } = row;
  return {
    ...row,
    net: formatRupees(net),
    realised: formatRupees(realised),
    open: formatRupees(open),
    charges: formatRupees(charges),
    turnover: formatRupees(turnover),
    drawdown: formatRupees(drawdown),
  };
}

function reportText({ since, folders }: Comparison, rows: readonly Row[]): string {
  const heads = ['folder', 'user', 'net', 'realised', 'open', 'charges', 'orders', 'fills', 'turnover', 'drawdown'];
  const cells = rows.map((row) => [
    row.folder,
    row.userId,
    formatRupees(row.net),
    formatRupees(row.realised),
    formatRupees(row.open),
    formatRupees(row.charges),
    String(row.orders),
    String(row.fills),
    formatRupees(row.turnover),
    formatRupees(row.drawdown),
  ]);
  const scope = since === 0 ? 'since the first record' : `since record ${since}, the last one that is not counted`;
  return [
    `results ${scope}`,
    ...folders.map(({ folder, records, at, branchOf }) => {
      return `${folder} at record ${records}, ${at}${branchOf === undefined ? '' : `, a branch of ${branchOf}`}`;
    }),
    '',
    ...(rows.length === 0 ? ['nobody has placed an order'] : table(heads, cells, 2)),
  ].join('\n');
}
