import { Coverage } from './coverage.ts';
import { dependentsOf, loadAnew, type PlacedMutant } from './module-graphs.ts';
import { type NotedTests, noteTests } from './test-registry.ts';

/** Some tests of one file, by their index in it. */
export interface TestSelection {
  readonly testFile: string;
  readonly tests: readonly number[];
}

/** A file whose mutants are wanted, and where they begin. */
export interface Places {
  readonly file: string;
  readonly positions: readonly number[];
}

/** The result of the unchanged files under the tests. */
export interface Baseline {
  /** Tests that fail without any mutant: nothing can be learnt from them. */
  readonly failing: readonly string[];
  /** For each file and each of its positions the tests that run there, those of the quickest test file first. */
  readonly reaching: { readonly [file: string]: readonly (readonly TestSelection[])[] };
  readonly dependents: { readonly [file: string]: readonly string[] };
  /** Milliseconds of processor time for all tests of a test file. */
  readonly took: { readonly [testFile: string]: number };
}

export type Ask =
  | { readonly ask: 'baseline'; readonly testFiles: readonly string[]; readonly places: readonly Places[] }
  | {
      readonly ask: 'mutant';
      readonly mutant: PlacedMutant;
      readonly fresh: readonly string[];
      readonly runs: readonly TestSelection[];
    };

/** Said before the tests of a file run with a mutant. */
export interface Begun {
  readonly begun: string;
}

/** Which test noticed the mutant; undefined when none did. */
export interface Verdict {
  readonly killedBy: string | undefined;
}

/** Runs all tests once without a mutant, and says which of them run where. */
export async function baselineOf(testFiles: readonly string[], places: readonly Places[]): Promise<Baseline> {
  const coverage = new Coverage(places.map(({ file }) => file));
  const seen = new Observation(places, coverage);
  for (const testFile of testFiles) {
    const noted = noteTests();
    coverage.clear();
    await loadAnew(testFile, new Set([testFile]));
    seen.loaded();
    const before = process.cpuUsage();
    await observe(testFile, noted, seen, coverage);
    const { user, system } = process.cpuUsage(before);
    seen.took.set(testFile, (user + system) / 1_000);
  }
  return seen.baseline(testFiles);
}

async function observe(testFile: string, noted: NotedTests, seen: Observation, coverage: Coverage): Promise<void> {
  coverage.clear();
  for (let from = 0; from < noted.tests.length; ) {
    const rest = noted.tests.map((_test, index) => index).slice(from);
    const failed = await noted.run(rest, (index) => {
      seen.ran(testFile, index);
      coverage.clear();
      from = index + 1;
    });
    if (failed === undefined) return;
    seen.failing.push(`${testFile}: ${failed}`);
    from += 1;
  }
}

class Observation {
  readonly failing: string[] = [];
  readonly took = new Map<string, number>();
  readonly #places: readonly Places[];
  readonly #coverage: Coverage;
  /** `file:position` to test file to indices. */
  readonly #reaching = new Map<string, Map<string, number[]>>();
  readonly #atLoad = new Set<string>();
  readonly #testsOf = new Map<string, number[]>();

  constructor(places: readonly Places[], coverage: Coverage) {
    this.#places = places;
    this.#coverage = coverage;
  }

  loaded(): void {
    this.#eachRan(true, (key) => this.#atLoad.add(key));
  }

  ran(testFile: string, index: number): void {
    this.#testsOf.set(testFile, [...(this.#testsOf.get(testFile) ?? []), index]);
    this.#eachRan(false, (key) => {
      const byFile = this.#reaching.get(key) ?? new Map<string, number[]>();
      this.#reaching.set(key, byFile);
      byFile.set(testFile, [...(byFile.get(testFile) ?? []), index]);
    });
  }

  baseline(testFiles: readonly string[]): Baseline {
    const quickFirst = [...testFiles].sort((a, b) => (this.took.get(a) ?? 0) - (this.took.get(b) ?? 0));
    const dependents = this.#places.map(({ file }) => [file, [...dependentsOf(file)]] as const);
    const reaching = this.#places.map(({ file, positions }) => {
      const users = new Set(dependentsOf(file));
      return [file, positions.map((at) => this.#selection(`${file}:${at}`, quickFirst, users))] as const;
    });
    return {
      failing: this.failing,
      reaching: Object.fromEntries(reaching),
      dependents: Object.fromEntries(dependents),
      took: Object.fromEntries(this.took),
    };
  }

  /**
   * Code that runs when a module is loaded, such as a table, can matter to every test of a file that uses the module.
   */
  #selection(key: string, testFiles: readonly string[], users: ReadonlySet<string>): TestSelection[] {
    const byFile = this.#reaching.get(key);
    return testFiles.flatMap((testFile) => {
      const all = this.#atLoad.has(key) && users.has(testFile);
      const tests = (all ? this.#testsOf.get(testFile) : byFile?.get(testFile)) ?? [];
      return tests.length === 0 ? [] : [{ testFile, tests }];
    });
  }

  /** `outside` is what to take for places in no block. */
  #eachRan(outside: boolean, note: (key: string) => void): void {
    for (const { file, positions } of this.#places) {
      for (const at of positions) if (this.#coverage.ranAt(file, at) ?? outside) note(`${file}:${at}`);
    }
  }
}

/**
 * Runs the tests with the mutant in its place, up to the first that fails; `tell` is called with each test file before
 * it runs.
 */
export async function tryMutant(
  mutant: PlacedMutant,
  fresh: readonly string[],
  runs: readonly TestSelection[],
  report: (begun: Begun) => void,
): Promise<Verdict> {
  const files = new Set(fresh);
  for (const { testFile, tests } of runs) {
    const noted = noteTests();
    report({ begun: testFile });
    try {
      await loadAnew(testFile, files, mutant);
    } catch (failure) {
      return { killedBy: `${testFile} does not load: ${String(failure)}` };
    }
    const failed = await noted.run(tests);
    if (failed !== undefined) return { killedBy: `${testFile}: ${failed}` };
  }
  return { killedBy: undefined };
}
