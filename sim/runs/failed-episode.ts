import { runningCommit } from '../../test/kit/running-commit.ts';
import type { Failure } from './play-seed.ts';

/**
 * Prints the fault of an episode with the command that plays it again, `options` after its seed. Sets the exit code of
 * the process.
 */
export function reportFailed(seed: number, { message, cause }: Failure, options: string): void {
  console.error(message);
  console.error(cause);
  console.error(
    `Commit ${runningCommit(['src', 'sim'])}. Again: node sim/run.ts --episodes 1 --seed ${seed} ${options}`,
  );
  process.exitCode = 1;
}
