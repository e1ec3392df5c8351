import { runTogether } from '../kit/run-together.ts';

await runTogether('test/scenario/branches', 'test/scenario/money', 'test/scenario/settlement', 'test/scenario/why');
