import { globSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { timeWithRoom } from '../kit/time-with-room.ts';

/**
 * `npm run faults`: the fault runs that need more than Node, short; `-- --release` runs all of them with more trials,
 * `-- F03 C06` those faults alone. Prints what failed, and at the end a table. Needs Linux, root, gcc, strace,
 * libfaketime, and the tools of ext4 and xfs: a run that lacks one of them fails.
 */
const RELEASE_FACTOR = '60';

interface Line {
  readonly fault: string;
  readonly trials: number;
  readonly told: number;
  readonly lost: number;
  readonly partial: number;
  readonly seconds: number;
}

const words = process.argv.slice(2);
const names = words.filter((word) => /^[CF]\d\d$/.test(word));
const release = words.includes('--release');
// The files that need nothing but Node are run by `npm test` already.
const pattern = release || names.length > 0 ? '**/*.{test,faults}.ts' : '**/*.faults.ts';
if (release) process.env.SAUDA_FAULT_TRIALS ??= RELEASE_FACTOR;
if (names.length > 0) process.env.SAUDA_FAULT_NAMED = 'on';

/** A short run that takes longer hangs. */
const SHORT_RUN_MS = 600_000;

await timeWithRoom();
const lines: Line[] = [];
let failures = 0;
const events = run({
  files: globSync(join(import.meta.dirname, pattern))
    .filter((file) => names.length === 0 || names.some((name) => readFileSync(file, 'utf8').includes(name)))
    .sort(),
  // Trials wait for disks and for children: one file a processor.
  concurrency: cpus().length,
  ...(!release && names.length === 0 && { timeout: SHORT_RUN_MS }),
  ...(names.length > 0 && { testNamePatterns: names.map((name) => new RegExp(name)) }),
});
events.on('test:fail', () => {
  failures += 1;
});
events.on('test:diagnostic', ({ message }) => {
  if (message.startsWith('fault: ')) lines.push(JSON.parse(message.slice('fault: '.length)) as Line);
});
events.on('end', () => {
  process.exitCode = failures === 0 ? 0 : 1;
  console.log(`\n${table()}\n`);
});
events.compose(spec).pipe(process.stdout);

function table(): string {
  const rows = lines
    .sort((a, b) => a.fault.localeCompare(b.fault))
    .map((line) => [line.fault, line.trials, line.told, line.lost, line.partial, line.seconds]);
  const head = ['fault', 'trials', 'told', 'lost', 'partial', 'seconds'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
