import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './module-graphs.ts';
import type { FoundMutant, Tried } from './trial.ts';

const DOCUMENT = join(ROOT, 'docs/measured/mutation.md');
const TABLE = { begin: '<!-- table: npm run mutate -- --write -->', end: '<!-- end of table -->' };
const SURVIVORS = { begin: '<!-- survivors: npm run mutate -- --write -->', end: '<!-- end of survivors -->' };
type Marks = typeof TABLE;

/** One line for a mutant: where, what, and who noticed. */
export function describeTried({ mutant, killedBy, reached }: Tried): string {
  const end = killedBy === undefined ? (reached ? 'SURVIVED' : 'SURVIVED, no test runs it') : `killed by ${killedBy}`;
  return `${describeChange(mutant)}: ${end}`;
}

function describeChange({ file, line, kind, before, replacement, lineText }: FoundMutant): string {
  return `${file}:${line} ${kind}: ${code(before)} to ${code(replacement)} in ${code(lineText)}`;
}

/** The lines for what survived, in the order of the files. */
export function survivorsOf(tried: readonly Tried[]): string[] {
  const survived = tried.filter(({ killedBy }) => killedBy === undefined);
  return survived.map(({ mutant }) => `- ${describeChange(mutant)}`);
}

/** `killed of tested, percent`. */
export function scoreOf(tried: readonly Tried[]): string {
  const killed = tried.filter(({ killedBy }) => killedBy !== undefined).length;
  const percent = tried.length === 0 ? 100 : (100 * killed) / tried.length;
  return `${killed} of ${tried.length} killed, ${percent.toFixed(1)} %`;
}

/** The sum of one target, as the row above those of its files. */
export function sumOf(target: string, all: readonly FoundMutant[], tried: readonly Tried[]): string {
  return rowOf(`**${target}**`, all, tried);
}

/** A row for each file of a target. */
export function rowsOf(all: readonly FoundMutant[], tried: readonly Tried[]): string[] {
  const files = [...new Set(all.map(({ file }) => file))];
  return files.map((file) => {
    const own = all.filter((mutant) => mutant.file === file);
    return rowOf(
      `\`${file}\``,
      own,
      tried.filter(({ mutant }) => mutant.file === file),
    );
  });
}

function rowOf(name: string, all: readonly FoundMutant[], tried: readonly Tried[]): string {
  const survived = tried.filter(({ killedBy }) => killedBy === undefined);
  const equivalent = all.filter((mutant) => mutant.equivalent !== undefined).length;
  const kinds = Map.groupBy(survived, ({ mutant }) => mutant.kind);
  const byKind = Array.from(kinds, ([kind, own]) => `${own.length} ${kind}`).join(', ');
  const killed = tried.length - survived.length;
  const percent = tried.length === 0 ? '' : ((100 * killed) / tried.length).toFixed(1);
  return `| ${name} | ${all.length} | ${equivalent} | ${tried.length} | ${killed} | ${percent} | ${byKind} |`;
}

/** Puts rows and survivors into the document; those of files that were not tested now stay as they are. */
export function writeDocument(rows: readonly string[], survivors: readonly string[]): void {
  const head = ['| file | mutants | equivalent | tested | killed | % | survivors |', '|---|--:|--:|--:|--:|--:|---|'];
  const fresh = new Set(rows.map(nameOf));
  const tested = rows.map((row) => nameOf(row).replaceAll(/[ `]/g, ''));
  writeBetween(TABLE, (kept) => {
    const others = kept.filter((row) => row.startsWith('| ') && !row.startsWith('| file') && !fresh.has(nameOf(row)));
    return [...head, ...others, ...rows];
  });
  writeBetween(SURVIVORS, (kept) => {
    const others = kept.filter(
      (line) => line.startsWith('- ') && !tested.some((file) => line.startsWith(`- ${file}:`)),
    );
    return [...others, ...survivors];
  });
}

/** Replaces the lines between two marks of the document. */
function writeBetween({ begin, end }: Marks, made: (kept: readonly string[]) => readonly string[]): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  const lines = made(text.slice(from, to).split('\n'));
  writeFileSync(DOCUMENT, `${text.slice(0, from)}\n${lines.join('\n')}\n${text.slice(to)}`);
}

function nameOf(row: string): string {
  return row.split('|')[1] ?? row;
}

/** A piece of the source, on one line and not too long. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'");
  return `\`${line.length > 90 ? `${line.slice(0, 87)}...` : line}\``;
}
