import { runTogether } from '../kit/run-together.ts';

await runTogether(
  'test/contract/account',
  'test/contract/market',
  'test/contract/money',
  'test/contract/outcomes',
  'test/contract/standby',
  'test/contract/terminal',
);
