import { runTogether } from '../kit/run-together.ts';

await runTogether('src/gateway', 'src/operator');
