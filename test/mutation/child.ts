import fc from 'fast-check';
import { type Ask, type Baseline, baselineOf, tryMutant, type Verdict } from './mutant-runner.ts';

/** The process that tests mutants, one after the other. Its parent ends it when one takes too long. */

// The same cases for every mutant, and none of the search for a smaller one.
fc.configureGlobal({ seed: 20261121, endOnFailure: true });

let unhandled = false;
process.on('unhandledRejection', () => {
  unhandled = true;
});
process.on('uncaughtException', () => {
  unhandled = true;
});
process.on('disconnect', () => process.exit());

process.on('message', (ask: Ask) => {
  void answer(ask).then((answered) => process.send?.(answered));
});

async function answer(ask: Ask): Promise<Baseline | Verdict> {
  if (ask.ask === 'baseline') return baselineOf(ask.testFiles, ask.places);
  unhandled = false;
  const verdict = await tryMutant(ask.mutant, ask.fresh, ask.runs, (begun) => process.send?.(begun));
  const failed = unhandled ? 'a failure that nobody caught' : undefined;
  return { killedBy: verdict.killedBy ?? failed };
}
