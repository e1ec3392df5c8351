/**
 * Stands in for `node:test` while mutants are tested: it only notes the tests of a file, so that some of them can be
 * run, in this process, as often as there are mutants.
 */

type Work = (context: TestContext) => unknown;

export interface TestContext {
  readonly name: string;
  diagnostic(text: string): void;
}

interface Suite {
  readonly before: (() => unknown)[];
  readonly after: (() => unknown)[];
  readonly beforeEach: (() => unknown)[];
  readonly afterEach: (() => unknown)[];
  begun: boolean;
}

interface NotedTest {
  readonly name: string;
  readonly work: Work;
  /** From the file inwards. */
  readonly suites: readonly Suite[];
}

/** The tests of one file in their order, with what goes before and after them. */
export class NotedTests {
  readonly tests: NotedTest[] = [];
  readonly suites: Suite[] = [newSuite()];
  readonly open: Suite[] = [...this.suites];

  get names(): string[] {
    return this.tests.map(({ name }) => name);
  }

  /**
   * Runs the tests at these indices, in order, up to the first that fails; returns which failed, or undefined. Tests
   * that went before are always undone.
   */
  async run(
    indices: readonly number[],
    afterEach: (index: number) => void = () => undefined,
  ): Promise<string | undefined> {
    try {
      for (const index of indices) {
        const test = this.tests[index];
        if (test === undefined) return `no test ${index}`;
        if (!(await passes(test))) return test.name;
        afterEach(index);
      }
      return undefined;
    } finally {
      await this.#end();
    }
  }

  async #end(): Promise<void> {
    for (const suite of this.suites.toReversed()) {
      if (suite.begun) for (const hook of suite.after) await quietly(hook);
    }
  }
}

let noted = new NotedTests();

/** Notes the tests that are declared from now on, and gives them when the file was loaded. */
export function noteTests(): NotedTests {
  noted = new NotedTests();
  return noted;
}

export function test(name: string, ...rest: readonly unknown[]): void {
  const work = rest.find((given): given is Work => typeof given === 'function');
  if (work !== undefined) noted.tests.push({ name, work, suites: [...noted.open] });
}

export function describe(_name: string, ...rest: readonly unknown[]): void {
  const suite = newSuite();
  noted.suites.push(suite);
  noted.open.push(suite);
  const work = rest.find((given): given is () => void => typeof given === 'function');
  work?.();
  noted.open.pop();
}

export const it = test;
export const suite = describe;
export default test;

export function before(hook: () => unknown): void {
  noted.open.at(-1)?.before.push(hook);
}

export function after(hook: () => unknown): void {
  noted.open.at(-1)?.after.push(hook);
}

export function beforeEach(hook: () => unknown): void {
  noted.open.at(-1)?.beforeEach.push(hook);
}

export function afterEach(hook: () => unknown): void {
  noted.open.at(-1)?.afterEach.push(hook);
}

async function passes({ name, work, suites }: NotedTest): Promise<boolean> {
  try {
    for (const suite of suites) {
      if (!suite.begun) for (const hook of suite.before) await hook();
      suite.begun = true;
    }
    for (const suite of suites) for (const hook of suite.beforeEach) await hook();
    await work({ name, diagnostic: () => undefined });
    for (const suite of suites) for (const hook of suite.afterEach) await hook();
    return true;
  } catch {
    return false;
  }
}

/** The undoing of a test may fail after a mutant: the verdict is known by then. */
async function quietly(hook: () => unknown): Promise<void> {
  try {
    await hook();
  } catch (failure) {
    console.error(String(failure));
  }
}

function newSuite(): Suite {
  return { before: [], after: [], beforeEach: [], afterEach: [], begun: false };
}
