/**
 * The synthetic market beside the real one. Run by hand:
 *
 *     node bench/market-statistics.ts [--of FOLDER] [--seeds 1,2,3] [--hours always,exchange] [--parts days,minutes,...]
 *
 * `--of` names another checkout whose market is measured; this one when it is left out.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Figures } from './market/figures.ts';
import { PARTS, type PartName } from './market/parts.ts';
import { printRows, printSources, printSummary, type Row, rowsOf } from './market/report.ts';
import { FULL } from './market/span.ts';
import { REGIMES, type Subject, subjectsOf } from './market/subject.ts';

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    seeds: { type: 'string', default: '1,2,3' },
    hours: { type: 'string', default: REGIMES.join(',') },
    parts: { type: 'string', default: Object.keys(PARTS).join(',') },
  },
});
const seeds = options.seeds.split(',').map(Number);
const regimes = REGIMES.filter((regime) => options.hours.split(',').includes(regime));
const parts = (Object.keys(PARTS) as PartName[]).filter((name) => options.parts.split(',').includes(name));

function measure(subject: Subject): Figures {
  const figures = {};
  for (const name of parts) {
    const start = process.cpuUsage();
    Object.assign(figures, PARTS[name](subject, FULL));
    const { user, system } = process.cpuUsage(start);
    console.error(`${subject.regime} seed ${subject.seed} ${name}: ${((user + system) / 1e6).toFixed(1)} s`);
  }
  return figures;
}

const open = await subjectsOf(options.of);
const results: [title: string, rows: Row[]][] = [];
for (const regime of regimes) {
  const figures = seeds.map((seed) => measure(open(seed, regime)));
  const title = `${regime} hours, seeds ${seeds.join(', ')}`;
  const rows = rowsOf(regime, figures);
  results.push([title, rows]);
  printRows(title, rows);
}
printSources();
for (const [title, rows] of results) printSummary(title, rows);
