import { execFileSync } from 'node:child_process';

/** The commit that runs, in words, and whether one of `folders` of the project holds more than it. */
export function runningCommit(folders: readonly string[]): string {
  try {
    const git = (...words: string[]) =>
      execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
    const paths = folders.map((folder) => `:/${folder}`);
    const changes = git('status', '--porcelain', ...paths);
    return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : ' with changes'}`;
  } catch (error) {
    return `unknown (${error instanceof Error ? error.message : String(error)})`;
  }
}
