import { inspect } from 'node:util';
import { ClusterEpisode, type ClusterEpisodeResult } from '../cluster/cluster-episode.ts';
import { Episode, EpisodeFailed, type EpisodeResult } from '../episode.ts';
import { takenAway, type Wanted } from './run-options.ts';

/** The fault of an episode, in words: it may come from another thread. */
export interface Failure {
  readonly message: string;
  /** The error that was thrown in it, with its stack. */
  readonly cause: string;
}

/** How the episode of one seed went. */
export type Outcome<Result> =
  | { readonly seed: number; readonly result: Result }
  | { readonly seed: number; readonly failure: Failure };

/** Plays the episode of one seed. */
export type Play<Result> = (run: Wanted, seed: number) => Promise<Result>;

export const playCluster: Play<ClusterEpisodeResult> = (run, seed) =>
  new ClusterEpisode({ seed, steps: run.steps, ...takenAway(run) }).run();

export const playService: Play<EpisodeResult> = ({ commands, outcomes }, seed) =>
  new Episode({ seed, commands, outcomePercent: outcomes }).run();

/** Rejects with what is not the fault of an episode. */
export async function playSeed<Result>(play: Play<Result>, run: Wanted, seed: number): Promise<Outcome<Result>> {
  try {
    return { seed, result: await play(run, seed) };
  } catch (error) {
    if (!(error instanceof EpisodeFailed)) throw error;
    return { seed, failure: { message: error.message, cause: inspect(error.cause) } };
  }
}
