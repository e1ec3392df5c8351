import { playClusters } from './runs/cluster-run.ts';
import { wanted } from './runs/run-options.ts';
import { playServices } from './runs/service-run.ts';

const run = wanted(process.argv.slice(2));
await (run.cluster ? playClusters(run) : playServices(run));
