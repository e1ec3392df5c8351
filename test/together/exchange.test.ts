import { runTogether } from '../kit/run-together.ts';

await runTogether('test/scenario/exchange', 'test/scenario/gtt', 'test/scenario/outcomes');
