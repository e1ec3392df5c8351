/**
 * The synthetic market beside the real one. Run by hand:
 *
 *     node bench/market-statistics.ts [--of FOLDER] [--seeds 1,2,3] [--hours always,exchange]
 *       [--parts days,minutes,...] [--strategies ABC...]
 *
 * `--of` names another checkout whose market is measured; this one when it is left out. Every row stands beside its
 * real figure, then every strategy beside what it earned. An empty list of parts or strategies leaves them out.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { must } from '../src/base/assert.ts';
import { depthOverHours } from './market/book-rows.ts';
import type { Figures } from './market/figures.ts';
import { PARTS, type PartName } from './market/parts.ts';
import { printRows, printSources, printSummary, type Row, rowsOf } from './market/report.ts';
import { FULL } from './market/span.ts';
import { FULL_EFFORT, STRATEGIES } from './market/strategies/all-strategies.ts';
import { type Outcome, outcomesOf, printOutcomes } from './market/strategies/played-report.ts';
import type { Played } from './market/strategies/trading.ts';
import { REGIMES, type Subject, subjectsOf } from './market/subject.ts';

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    seeds: { type: 'string', default: '1,2,3' },
    hours: { type: 'string', default: REGIMES.join(',') },
    parts: { type: 'string', default: Object.keys(PARTS).join(',') },
    strategies: { type: 'string', default: Object.keys(STRATEGIES).join('') },
  },
});
const seeds = options.seeds.split(',').map(Number);
const regimes = REGIMES.filter((regime) => options.hours.split(',').includes(regime));
const parts = (Object.keys(PARTS) as PartName[]).filter((name) => options.parts.split(',').includes(name));

const letters = Object.keys(STRATEGIES).filter((letter) => options.strategies.includes(letter));

/** Does a piece of work and says on the error stream what CPU time it took. */
function announced<T>(name: string, work: () => T): T {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  console.error(`${name}: ${((user + system) / 1e6).toFixed(1)} s`);
  return result;
}

function measure(subject: Subject): Figures {
  const label = (name: string) => `${subject.regime} seed ${subject.seed} ${name}`;
  return Object.assign({}, ...parts.map((name) => announced(label(name), () => PARTS[name](subject, FULL))));
}

function play(subject: Subject): Played[] {
  const label = (letter: string) => `${subject.regime} seed ${subject.seed} strategy ${letter}`;
  return letters.map((letter) =>
    announced(label(letter), () => must(STRATEGIES[letter], letter)(subject, FULL_EFFORT)),
  );
}

const open = await subjectsOf(options.of);
const results: { title: string; rows: Row[]; outcomes: Outcome[] }[] = [];
for (const regime of regimes) {
  const title = `${regime} hours, seeds ${seeds.join(', ')}`;
  const figures = seeds.map((seed) => {
    const hours = parts.includes('books') && regime === 'always' ? depthOverHours(open, seed, FULL) : {};
    return { ...measure(open(seed, regime)), ...hours };
  });
  const rows = rowsOf(regime, figures);
  if (rows.length > 0) printRows(title, rows);
  const played = seeds.map((seed) => play(open(seed, regime)));
  const outcomes = outcomesOf(played.flat());
  if (outcomes.length > 0) printOutcomes(`strategies, ${title}`, outcomes);
  played.forEach((ofSeed, i) => {
    for (const note of ofSeed.flatMap(({ notes }) => notes)) console.log(`seed ${seeds[i]}  ${note}`);
  });
  results.push({ title, rows, outcomes });
}
printSources();
for (const { title, rows, outcomes } of results) {
  printSummary(title, rows);
  console.log(
    `  faults: ${
      outcomes
        .filter(({ mark }) => mark === 'FAULT')
        .map(({ name }) => name)
        .join(', ') || 'none'
    }`,
  );
}
