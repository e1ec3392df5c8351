import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { Random } from '../../src/base/random.ts';
import type { MutantProcess } from './child-process.ts';
import { isDeclared } from './equivalents/equivalent.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { ROOT } from './module-graphs.ts';
import type { Baseline } from './mutant-runner.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { LEFT_OUT, type Target } from './targets.ts';

/** A mutant with the text of its line. */
export interface FoundMutant extends Mutant {
  readonly file: string;
  readonly before: string;
  readonly lineText: string;
  /** Why no test can notice it. */
  readonly equivalent: string | undefined;
}

export interface Tried {
  readonly mutant: FoundMutant;
  /** The test or the limit that found it; undefined for a survivor. */
  readonly killedBy: string | undefined;
  readonly reached: boolean;
}

export interface Choice {
  /** Only files that match. */
  readonly files?: string | undefined;
  /** At most this number of mutants of each target, evenly drawn from all its files; all when left out. */
  readonly sample?: number | undefined;
  readonly seed: number;
}

/** With a mutant a test file may take this much processor time, and this many times what it took without. */
const LEAST_LIMIT_MS = 2_000;
const LIMIT_TIMES = 3;

/** All mutants of a target's files, from the first file to the last. */
export function mutantsOfTarget(target: Target, { files }: Choice): FoundMutant[] {
  const paths = globSync([...target.files], { cwd: ROOT }).sort();
  return paths
    .filter((path) => !path.endsWith('.test.ts') && LEFT_OUT[path] === undefined)
    .filter((path) => files === undefined || matchesGlob(path, files))
    .flatMap(mutantsOfFile);
}

function mutantsOfFile(file: string): FoundMutant[] {
  const source = readFileSync(`${ROOT}${file}`, 'utf8');
  const lines = source.split('\n');
  return mutantsOf(source).map((mutant) => {
    const lineText = (lines[mutant.line - 1] ?? '').trim();
    const before = source.slice(mutant.start, mutant.end);
    const declared = EQUIVALENTS.find((each) => each.file === file && isDeclared(each, mutant, source));
    return { ...mutant, file, before, lineText, equivalent: declared?.reason };
  });
}

/** As many of the mutants as asked for, in the order of the files; those that are equivalent are not drawn. */
export function drawn(mutants: readonly FoundMutant[], { sample, seed }: Choice): FoundMutant[] {
  const left = mutants.filter(({ equivalent }) => equivalent === undefined);
  if (sample === undefined || left.length <= sample) return left;
  const random = new Random(seed);
  const taken = new Set<FoundMutant>();
  while (taken.size < sample) {
    const mutant = left[random.below(left.length)];
    if (mutant !== undefined) taken.add(mutant);
  }
  return left.filter((mutant) => taken.has(mutant));
}

/** Tests each mutant with the tests that reach it; `tell` is called with each verdict at once. */
export async function tryAll(
  target: Target,
  mutants: readonly FoundMutant[],
  process: MutantProcess,
  report: (tried: Tried) => void,
): Promise<Baseline> {
  const testFiles = globSync([...target.tests], { cwd: ROOT }).sort();
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  const places = Array.from(byFile, ([file, own]) => ({ file, positions: own.map(({ start }) => start) }));
  const baseline = await process.baseline({ ask: 'baseline', testFiles, places });
  const failing = new Set(baseline.failing.map((name) => name.split(': ')[0]));
  const limitOf = (testFile: string) => LEAST_LIMIT_MS + LIMIT_TIMES * (baseline.took[testFile] ?? 0);
  for (const [file, own] of byFile) {
    for (const [index, mutant] of own.entries()) {
      const runs = (baseline.reaching[file]?.[index] ?? []).filter(({ testFile }) => !failing.has(testFile));
      const ask = { ask: 'mutant', mutant, fresh: baseline.dependents[file] ?? [], runs } as const;
      const { killedBy } = runs.length === 0 ? { killedBy: undefined } : await process.test(ask, limitOf);
      report({ mutant, killedBy, reached: runs.length > 0 });
    }
  }
  return baseline;
}
