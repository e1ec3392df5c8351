/**
 * Commands that search, print and verify the audit trail of a stopped or running service.
 * Reading the trail itself is done by the service's parts.
 */
import { type Command, Option } from 'commander';
import type { TrailSearch } from '../../audit/port.ts';
import { DAY_MS, type IstDay, parseIsoDay, type WallMs, wallInstant } from '../../base/time.ts';
import type { DataFolder } from '../../folder/data-folder.ts';

/** How lines are printed: for a reader, as rows of a table, or as they stand in the files. */
export type AuditForm = 'text' | 'csv' | 'json';

/** Commands on the audit trail of a stopped or running service. */
export interface AuditWork {
  /** The lines that are asked for, in their order, as they are printed. */
  readonly searchAudit: (folder: DataFolder, question: TrailSearch, form: AuditForm) => Promise<Iterable<string>>;
  /** Prints lines one after the other, and ends early when nobody reads them any more. */
  readonly printLines: (lines: Iterable<string>) => Promise<void>;
}

export interface AuditCommandParts extends AuditWork {
  readonly withData: (command: Command) => Command;
  readonly folderOf: (flags: Readonly<Record<string, string>>) => DataFolder;
  /** Ends the command: what was asked for is not understood. */
  readonly refuse: (what: string) => never;
}

type Flags = Readonly<Record<string, string>> & { readonly csv?: true; readonly json?: true };

/** Adds the commands that print what the audit trail holds. */
export function addAuditCommands(program: Command, parts: AuditCommandParts): void {
  const audit = program.command('audit').description('the audit trail: who did what from where');
  const exported = audit.command('export <day>').description('print the lines of a day (YYYY-MM-DD)');
  withForms(parts.withData(exported)).action((text: string, flags: Flags) => {
    const day = dayOf(text, parts);
    return printFound(parts, flags, { from: wallInstant(day), to: endOf(day) });
  });
  const search = audit.command('search').description('print the lines of all days that are asked for');
  search
    .option('--from <day>', 'of this day and later')
    .option('--to <day>', 'of this day and earlier')
    .option('--order <number>', 'that name this order')
    .option('--op <operation>', 'of this operation, route or command: placeOrder, "POST /switches", SetSwitch')
    .option('--kind <kind>', 'of this kind: Command, Login, Logout, Refusal, Act and so on');
  withForms(parts.withData(search)).action((flags: Flags) => {
    const { from, to } = flags;
    return printFound(parts, flags, {
      ...(from !== undefined && { from: wallInstant(dayOf(from, parts)) }),
      ...(to !== undefined && { to: endOf(dayOf(to, parts)) }),
    });
  });
}

function withForms(command: Command): Command {
  return command
    .option('--user <userId>', 'that are about this user')
    .option('--member <member>', 'of another member of the cluster, from the copy of its trail')
    .addOption(new Option('--csv', 'as a table, times in UTC').conflicts('json'))
    .option('--json', 'as they stand in the files');
}

async function printFound(parts: AuditCommandParts, { csv, json, ...flags }: Flags, days: TrailSearch): Promise<void> {
  const { user, order, op, kind, member } = flags;
  if (member !== undefined && !/^[A-Za-z][A-Za-z0-9-]*$/.test(member)) parts.refuse(`${member} is not a member`);
  if (order !== undefined && !/^\d{1,16}$/.test(order)) parts.refuse(`${order} is not an order number`);
  const question = {
    ...days,
    ...(user !== undefined && { user }),
    ...(order !== undefined && { order: Number(order) }),
    ...(op !== undefined && { op }),
    ...(kind !== undefined && { kind }),
    ...(member !== undefined && { member }),
  };
  const form = csv === true ? 'csv' : json === true ? 'json' : 'text';
  return parts.printLines(await parts.searchAudit(parts.folderOf(flags), question, form));
}

function dayOf(text: string, parts: AuditCommandParts): IstDay {
  return parseIsoDay(text) ?? parts.refuse(`${text} is not a day: write YYYY-MM-DD`);
}

function endOf(day: IstDay): WallMs {
  return (wallInstant(day) + DAY_MS - 1) as WallMs;
}
