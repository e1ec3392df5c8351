import { execFileSync } from 'node:child_process';
import type { Failure } from './play-seed.ts';

/**
 * Prints the fault of an episode with the command that plays it again, `options` behind its seed. Sets the exit code of
 * the process.
 */
export function reportFailed(seed: number, { message, cause }: Failure, options: string): void {
  console.error(message);
  console.error(cause);
  console.error(`Commit ${commit()}. Again: node sim/run.ts --episodes 1 --seed ${seed} ${options}`);
  process.exitCode = 1;
}

/** The commit that runs, and whether there is more than it. */
function commit(): string {
  try {
    const git = (...words: string[]) =>
      execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', ':/src', ':/sim') === '' ? '' : ' with changes'}`;
  } catch (error) {
    return `unknown (${error instanceof Error ? error.message : String(error)})`;
  }
}
