import { EpisodeThread } from './episode-thread.ts';
import { type Outcome, type Play, playSeed } from './play-seed.ts';
import type { Wanted } from './run-options.ts';

/** Seeds that each thread has in front of it, so that none waits while another plays a long episode. */
const AHEAD = 8;

/**
 * The outcomes of the seeds of a run, in the order of the seeds whatever the number of threads: a run that ends at its
 * first failure ends at the same seed. `play` is what a run without threads does.
 */
export async function* outcomes<Result>(run: Wanted, play: Play<Result>): AsyncGenerator<Outcome<Result>> {
  if (run.threads > 1) yield* ofThreads<Result>(run);
  else for (const seed of seedsOf(run)) yield await playSeed(play, run, seed);
}

async function* ofThreads<Result>(run: Wanted): AsyncGenerator<Outcome<Result>> {
  const threads = Array.from({ length: run.threads }, () => new EpisodeThread<Result>(run));
  const under: Promise<Outcome<Result>>[] = [];
  let at = 0;
  try {
    for (const seed of seedsOf(run)) {
      const thread = threads[at % threads.length] as EpisodeThread<Result>;
      at += 1;
      under.push(thread.play(seed));
      if (under.length === AHEAD * threads.length) yield await (under.shift() as Promise<Outcome<Result>>);
    }
    for (const outcome of under) yield await outcome;
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

function* seedsOf({ seed, episodes }: Wanted): Iterable<number> {
  for (let at = seed; at < seed + episodes; at += 1) yield at;
}
