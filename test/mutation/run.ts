import { parseArgs } from 'node:util';
import { MutantProcess } from './child-process.ts';
import { describeTried, rowsOf, scoreOf, sumOf, survivorsOf, writeDocument } from './report.ts';
import { TARGETS } from './targets.ts';
import { drawn, mutantsOfTarget, type Tried, tryAll } from './trial.ts';

/**
 * `npm run mutate -- [--target name] [--files glob] [--sample N] [--seed S] [--write]`: changes the product in many
 * small ways, one at a time, and reports which of them no test notices. `--write` puts the table and the survivors into
 * docs/measured/mutation.md.
 */

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    files: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const choice = {
  files: values.files,
  sample: values.sample === undefined ? undefined : Number(values.sample),
  seed: Number(values.seed),
};
const chosen = TARGETS.filter(({ name }) => values.target?.includes(name) ?? true);
const processes = new MutantProcess();
const rows: string[] = [];
const survivors: string[] = [];

for (const target of chosen) {
  const all = mutantsOfTarget(target, choice);
  const mutants = drawn(all, choice);
  if (mutants.length === 0) continue;
  console.log(`${target.name}: ${mutants.length} of ${all.length} mutants, seed ${choice.seed}`);
  const began = performance.now();
  const tried: Tried[] = [];
  const baseline = await tryAll(target, mutants, processes, (each) => {
    tried.push(each);
    if (each.killedBy === undefined || values.verbose) console.log(describeTried(each));
  });
  for (const failing of baseline.failing) console.log(`fails without a mutant: ${failing}`);
  if (values.verbose)
    for (const [file, ms] of Object.entries(baseline.took)) console.log(`${ms.toFixed(0)} ms ${file}`);
  const seconds = (performance.now() - began) / 1000;
  console.log(`${target.name}: ${scoreOf(tried)} in ${seconds.toFixed(0)} s\n`);
  // The sum of a few files would stand in the place of that of the whole target.
  if (choice.files === undefined) rows.push(sumOf(target.name, all, tried));
  rows.push(...rowsOf(all, tried));
  survivors.push(...survivorsOf(tried));
}
await processes.end();
console.log(rows.join('\n'));
if (values.write) writeDocument(rows, survivors);
