import { runTogether } from '../kit/run-together.ts';

await runTogether('src/base', 'src/reference', 'src/views');
