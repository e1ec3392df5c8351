/**
 * Ten parameters of a strategy on ten branches of one running service: each begins at the same instant with the same
 * accounts, goes its own way through the same prices, and `sauda compare` shows the results beside each other.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sauda } from '../../client/src/sauda.ts';
import { startSauda, type TestUser } from '../../client/src/testing.ts';
import { SAUDA } from '../kit/launcher.ts';
import { BranchService, sauda } from './branch-service.ts';
import { wantsToHold } from './reversion.ts';

/** A Wednesday morning, in IST. */
const BEGIN = '2026-11-18T11:00:00';
const SHARE = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ', product: 'I' } as const;
const UNITS = 200;
/** How far below the average of the last prices the strategy buys, in hundredths of a percent. */
const PARAMETERS = [2, 4, 6, 8, 10, 12, 15, 20, 25, 30];
const STEP = '2m';
const STEPS = 45;
const REMEMBERED = 12;

/** Trades a branch for an hour and a half of the market, which stands still while the program thinks. */
async function trade(client: Sauda, belowE4: number): Promise<void> {
  const prices: number[] = [];
  let holds: boolean = false;
  for (let step = 1; step <= STEPS; step += 1) {
    await client.time.step(STEP);
    prices.push(Number(await client.market.ltp(`${SHARE.exchange}:${SHARE.tradingSymbol}`)));
    const wants: boolean = step < STEPS && wantsToHold(prices.slice(-REMEMBERED), belowE4, holds);
    if (wants === holds) continue;
    const terms = { ...SHARE, transactionType: wants ? 'B' : 'S', quantity: UNITS, priceType: 'MKT' } as const;
    const { outcome } = await client.orders.placeAndWait({ ...terms, remarks: `below ${belowE4}` }, { until: 'final' });
    if (outcome !== 'filled') throw new Error(`an order was ${outcome}`);
    holds = wants;
  }
}

/** Makes the branches of a running service and lets each trade by its parameter, one after the other. */
async function tradeAll(
  data: string,
  user: TestUser,
  folder: string,
  parameters: readonly number[],
): Promise<string[]> {
  const folders = parameters.map((belowE4) => join(folder, `below-${String(belowE4).padStart(2, '0')}`));
  for (const to of folders) await sauda('branch', data, to, '--why', 'a parameter');
  for (const [index, belowE4] of parameters.entries()) {
    await using service = await BranchService.start(folders[index] ?? '');
    await using client = await service.login(user);
    await trade(client, belowE4);
  }
  return folders;
}

if (import.meta.main) {
  const parameters = PARAMETERS.slice(0, Number(process.argv[2] ?? PARAMETERS.length));
  const settings = { SAUDA_CLOCK: BEGIN, SAUDA_SPEED: '0' };
  await using parent = await startSauda({ seed: 6, clock: 'exchange', command: SAUDA, settings });
  const data = /^ *data folder +(.+)$/m.exec(parent.output)?.[1] ?? '';
  const [user] = parent.users;
  if (user === undefined) throw new Error('the service has users');
  const folder = mkdtempSync(join(tmpdir(), 'sauda-branches-'));
  try {
    const folders = await tradeAll(data, user, folder, parameters);
    console.log(await sauda('compare', ...folders, data, '--user', user.userId));
    for (const branch of folders) await sauda('verify', '--data', branch);
    console.log('every branch is whole');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
