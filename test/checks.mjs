/**
 * Runs the linter and the checks of types side by side: each of them alone leaves processors idle. It prints what each
 * said when it ends, and ends with 1 when one of them has failed. The tests that follow have room in the market's day.
 */
import { spawn } from 'node:child_process';
import { timeWithRoom } from './kit/time-with-room.ts';

const CHECKS = ['lint', 'types:node', 'types:pages'];
const NPM = process.env.npm_execpath;

/** Runs a script of package.json; true when it succeeded. */
function succeeds(script) {
  return new Promise((resolve) => {
    const [file, ...args] = NPM ? [process.execPath, NPM] : ['npm'];
    const child = spawn(file, [...args, 'run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => said.push(bytes));
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });
}

const outcomes = await Promise.all(CHECKS.map(succeeds));
if (outcomes.every(Boolean)) await timeWithRoom();
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
