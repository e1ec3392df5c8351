import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './module-graphs.ts';
import type { FoundMutant, Tried } from './trial.ts';

const DOCUMENT = join(ROOT, 'docs/mutation.md');
const BEGIN = '<!-- table: npm run mutate -- --write -->';
const END = '<!-- end of table -->';

/** One line for a mutant: where, what, and who noticed. */
export function describeTried({ mutant, killedBy, reached }: Tried): string {
  const { file, line, kind, before, replacement, lineText } = mutant;
  const change = `\`${short(before)}\` to \`${short(replacement)}\``;
  const end = killedBy === undefined ? (reached ? 'SURVIVED' : 'SURVIVED, no test runs it') : `killed by ${killedBy}`;
  return `${file}:${line} ${kind}: ${change} in \`${short(lineText)}\`: ${end}`;
}

/** `killed of tested, percent`. */
export function scoreOf(tried: readonly Tried[]): string {
  const killed = tried.filter(({ killedBy }) => killedBy !== undefined).length;
  const percent = tried.length === 0 ? 100 : (100 * killed) / tried.length;
  return `${killed} of ${tried.length} killed, ${percent.toFixed(1)} %`;
}

/** The rows of one target: its sum first, then a row a file. */
export function tableOf(target: string, all: readonly FoundMutant[], tried: readonly Tried[]): string[] {
  const files = [...new Set(all.map(({ file }) => file))];
  const rows = files.map((file) => {
    const own = all.filter((mutant) => mutant.file === file);
    return rowOf(
      `\`${file}\``,
      own,
      tried.filter(({ mutant }) => mutant.file === file),
    );
  });
  return [rowOf(`**${target}**`, all, tried), ...rows];
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

/** Puts the rows into the document; rows of files that were not tested now stay as they are. */
export function writeTable(rows: readonly string[]): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  const head = ['| file | mutants | equivalent | tested | killed | % | survivors |', '|---|--:|--:|--:|--:|--:|---|'];
  const fresh = new Set(rows.map(nameOf));
  const kept = text
    .slice(from, to)
    .split('\n')
    .filter((row) => row.startsWith('| ') && !row.startsWith('| file') && !fresh.has(nameOf(row)));
  writeFileSync(DOCUMENT, `${text.slice(0, from)}\n${[...head, ...kept, ...rows].join('\n')}\n${text.slice(to)}`);
}

function nameOf(row: string): string {
  return row.split('|')[1] ?? row;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}
