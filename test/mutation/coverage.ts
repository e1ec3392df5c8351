import { type Profiler, Session } from 'node:inspector';
import { projectPath } from './module-graphs.ts';

/** What of the project's files ran since the last look, by the engine's own block coverage. */
export class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** By path from the root: the functions that ran since the last call. Empties the count. */
  take(): Map<string, Profiler.FunctionCoverage[]> {
    const ran = new Map<string, Profiler.FunctionCoverage[]>();
    // The session answers at once: both are of one thread.
    this.#session.post('Profiler.takePreciseCoverage', (failure, taken) => {
      if (failure) throw failure;
      for (const { url, functions } of taken.result) {
        const path = projectPath(url);
        if (path !== undefined) ran.set(path, functions);
      }
    });
    return ran;
  }

  close(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}

/** Whether the character at `position` ran: the innermost known block around it did. */
export function ranAt(functions: readonly Profiler.FunctionCoverage[], position: number): boolean {
  let innermost: Profiler.CoverageRange | undefined;
  for (const { ranges } of functions) {
    for (const range of ranges) {
      const around = range.startOffset <= position && position < range.endOffset;
      const size = range.endOffset - range.startOffset;
      if (around && (innermost === undefined || size <= innermost.endOffset - innermost.startOffset)) innermost = range;
    }
  }
  return innermost !== undefined && innermost.count > 0;
}
