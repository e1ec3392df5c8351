import { playClusters } from './cluster/cluster-run.ts';
import { wanted } from './run-options.ts';
import { playServices } from './service-run.ts';

const run = wanted(process.argv.slice(2));
await (run.cluster ? playClusters(run) : playServices(run));
