import { runTogether } from '../kit/run-together.ts';

await runTogether('test/contract/gtt', 'test/contract/lists', 'test/contract/orders');
