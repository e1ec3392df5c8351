/**
 * Commands on the SPAN parameter files of the running service: it reads and keeps them, this file sends and prints.
 */
import { openAsBlob } from 'node:fs';
import type { Command } from 'commander';
import { CommandFailed, EXIT_FAILED } from '../../../os/command-failed.ts';
import type { SpanRow } from '../../http/span-routes.ts';
import type { ImportedSpan } from '../../operations/span-operations.ts';
import { act, addressOf, ask, type Environment, type Flags, withSettings } from '../command-settings.ts';
import { expectGivenFile } from '../folder/given-file.ts';
import { sendFile } from '../operator-client.ts';

interface SpanCommandParts extends Environment {
  readonly print: (text: string) => void;
}

/** Adds the commands on SPAN files. */
export function addSpanCommands(program: Command, parts: SpanCommandParts): void {
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
