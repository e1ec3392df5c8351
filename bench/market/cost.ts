/**
 * The cost of the market beside another checkout's, in CPU time: processes of both in turn, medians of the ratios of
 * the rounds. Run by hand: `node bench/market/cost.ts --against FOLDER [--of FOLDER] [--rounds 7]`. Goals: a new second
 * at most 2 times, a year of minutes at most 1.5 times.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { must } from '../../src/base/assert.ts';
import { inTurn, median, ratios, spreadOf } from '../rows.ts';
import { digits, printTable } from './report.ts';

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    against: { type: 'string' },
    rounds: { type: 'string', default: '7' },
  },
});
const GOALS = { second: 2, year: 1.5 } as const;

function round(checkout: string): Record<string, number> {
  const program = fileURLToPath(new URL('./cost-process.ts', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [program, checkout], { encoding: 'utf8' }));
}

const against = must(options.against, '--against');
const { ours, reference } = inTurn(
  Number(options.rounds),
  () => round(options.of),
  () => round(against),
);
const names = Object.keys(must(ours[0], 'a round'));
printTable(
  ['', 'work', 'this, us', 'that, us', 'ratio', 'spread', 'goal'],
  names.map((name) => {
    const [a, b] = [ours, reference].map((rounds) => rounds.map((one) => one[name] as number)) as [number[], number[]];
    const ratio = median(ratios(a, b));
    const goal = name.startsWith('second') ? GOALS.second : GOALS.year;
    const cells = [name, digits(median(a)), digits(median(b)), ratio.toFixed(2), spreadOf(ratios(a, b)), String(goal)];
    return [ratio > goal ? 'OVER' : '', ...cells];
  }),
);
