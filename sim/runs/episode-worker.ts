/** A thread that plays the episodes of the seeds that it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../src/base/assert.ts';
import { type Play, playCluster, playSeed, playService } from './play-seed.ts';
import type { Wanted } from './run-options.ts';

const port = must(parentPort, 'a thread of a run');
const run = workerData as Wanted;
const play: Play<unknown> = run.cluster ? playCluster : playService;
let turn = Promise.resolve();

port.on('message', (seed: number) => {
  // Episodes of one thread would hear each other's unhandled rejections.
  turn = turn.then(async () => port.postMessage(await playSeed(play, run, seed)));
});
