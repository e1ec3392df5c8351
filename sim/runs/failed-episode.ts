import { execFileSync } from 'node:child_process';
import { EpisodeFailed } from '../episode.ts';

/**
 * Prints the fault of an episode with the command that plays it again, `options` behind its seed. Sets the exit code of
 * the process. Throws what is not the fault of an episode.
 */
export function reportFailed(error: unknown, options: string): void {
  if (!(error instanceof EpisodeFailed)) throw error;
  console.error(error.message);
  console.error(error.cause);
  console.error(`Commit ${commit()}. Again: node sim/run.ts --episodes 1 --seed ${error.seed} ${options}`);
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
