/**
 * The risk of accounts at the operator's port, over a core with accounts that hold shares, futures and options, and
 * over one with a hundred thousand accounts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, listed, NIFTY_CALL, NIFTY_FUTURE, RELIANCE } from '../../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../../test/kit/money/still-market.ts';
import { rupees, World } from '../../../../test/kit/money/world.ts';
import { withOperatorPort } from '../../../../test/kit/operator-port.ts';
import { testPorts } from '../../../../test/kit/ports.ts';
import { worldEngine } from '../../../../test/kit/world-engine.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { AccountId } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { limitsOf } from '../../../core/query.ts';
import { CommandFailed } from '../../../os/command-failed.ts';
import { RiskOperations, type RiskReport, type UserRiskReport } from './risk-operations.ts';
import type { RiskSort } from './risk-ranking.ts';

interface Opened {
  readonly world: World;
  readonly market: StillMarket;
  readonly risk: RiskOperations;
}

/** ASHA, RAVI and MEENA with ten lakh rupees each, on a market with prices for a share, a future and an option. */
function opened(): Opened {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_000_00, last: 1_000_00, band: [900_00, 1_100_00] });
  market.quotes.set(NIFTY_FUTURE.id, { bid: 24_000_00, ask: 24_001_00, last: 24_000_00, band: [22_000_00, 26_000_00] });
  market.quotes.set(NIFTY_CALL.id, { bid: 99_00, ask: 100_00, last: 100_00, band: [1_00, 500_00] });
  const world = new World(testPorts({ market }), FIRST_DAY);
  for (const userId of ['ASHA', 'RAVI', 'MEENA']) world.user(userId, rupees(10_00_000));
  const risk = new RiskOperations({ engine: worldEngine(world), instruments: listed, avgModel: 'aggregate' });
  return { world, market, risk };
}

const [ASHA, RAVI] = [0 as AccountId, 1 as AccountId];

/** The market prints at another price, later than the users' own trades. */
function move({ world, market }: Opened, { id }: Instrument, last: number): void {
  world.at = (world.at + 5_000) as EpochMs;
  market.quotes.set(id, { bid: last - 1_00, ask: last, last, band: [1_00, 26_000_00] });
}

const usersBy = async (risk: RiskOperations, sort: RiskSort): Promise<readonly string[]> =>
  (await risk.list(sort, 10)).rows.map(({ userId }) => userId);

test('an account has the margin and the funds of its limits, and its result at the last prices', async () => {
  const parts = opened();
  const { world, risk } = parts;
  world.place({ by: ASHA, of: NIFTY_FUTURE.id, side: 'B', units: NIFTY_FUTURE.lot });
  move(parts, NIFTY_FUTURE, 23_900_00);
  const { rows, totals } = await risk.list('marginUsed', 10);
  const [row] = rows;
  const limits = limitsOf(world.account(ASHA));
  assert.deepEqual(
    [row?.userId, row?.marginUsed, row?.available, row?.total],
    ['ASHA', ...[limits.marginUsed, limits.availableMargin, limits.totalMargin].map(formatRupees)],
  );
  const loss = formatRupees(rupees(-101 * NIFTY_FUTURE.lot));
  assert.deepEqual([row?.realised, row?.open, row?.result], ['0.00', loss, loss]);
  assert.deepEqual([row?.largest, row?.concentration, row?.positions, row?.orders], ['NIFTY', '100.0', 1, 1]);
  assert.deepEqual([totals.accounts, totals.withPositions, totals.losing, totals.short], [3, 1, 1, 0]);
  assert.deepEqual([totals.marginUsed, totals.result], [row?.marginUsed, loss]);
});

test('the open result of held shares that were sold stands in their row alone', async () => {
  const parts = opened();
  const { world, risk } = parts;
  world.give(ASHA, RELIANCE.id, 100, rupees(50_000));
  world.place({ by: ASHA, of: RELIANCE.id, side: 'S', units: 100, product: 'C' });
  move(parts, RELIANCE, 950_00);
  const [row] = (await risk.list('marginUsed', 10)).rows;
  assert.deepEqual([row?.realised, row?.open, row?.result, row?.positions], ['0.00', '0.00', '0.00', 1]);
  const { positionRows } = (await risk.of('ASHA')) as UserRiskReport;
  assert.deepEqual(
    positionRows.map(({ netQuantity, open }) => [netQuantity, open]),
    [[-100, '4900.00']],
  );
});

test('the stake in an underlying is its margin and the worth of the shares and options that were bought', async () => {
  const { world, risk } = opened();
  world.place({ by: ASHA, of: RELIANCE.id, side: 'B', units: 300, product: 'C' });
  world.place({ by: ASHA, of: NIFTY_CALL.id, side: 'B', units: NIFTY_CALL.lot });
  const report = await risk.of('ASHA');
  const stakes = report?.underlyings.map(({ underlying, stake }) => [underlying, stake]);
  assert.deepEqual(stakes, [
    ['RELIANCE-EQ', '300000.00'],
    ['NIFTY', formatRupees(rupees(100 * NIFTY_CALL.lot))],
  ]);
  const share = (300_000 / (300_000 + 100 * NIFTY_CALL.lot)) * 100;
  assert.deepEqual([report?.largest, report?.concentration], ['RELIANCE-EQ', share.toFixed(1)]);
  assert.equal(report?.underlyings[0]?.share, share.toFixed(1));
});

test('accounts are ranked by margin, by loss, by funds and by concentration, the one that needs a look first', async () => {
  const parts = opened();
  const { world, risk } = parts;
  world.place({ by: ASHA, of: NIFTY_FUTURE.id, side: 'B', units: NIFTY_FUTURE.lot });
  world.place({ by: RAVI, of: RELIANCE.id, side: 'B', units: 900, product: 'C' });
  world.place({ by: RAVI, of: NIFTY_CALL.id, side: 'B', units: NIFTY_CALL.lot });
  move(parts, RELIANCE, 990_00);
  assert.deepEqual(await usersBy(risk, 'result'), ['RAVI', 'ASHA', 'MEENA']);
  assert.deepEqual(await usersBy(risk, 'concentration'), ['ASHA', 'RAVI', 'MEENA']);
  assert.deepEqual(await usersBy(risk, 'available'), ['RAVI', 'ASHA', 'MEENA']);
  assert.deepEqual(await usersBy(risk, 'marginUsed'), ['RAVI', 'ASHA', 'MEENA']);
  assert.equal((await risk.list('result', 1)).rows.length, 1);
});

test('one account shows its positions, its open orders and whether it is killed', async () => {
  const { world, risk } = opened();
  world.place({ by: ASHA, of: RELIANCE.id, side: 'B', units: 10, product: 'I' });
  const resting = world.place({ by: ASHA, of: RELIANCE.id, side: 'B', units: 5, at: 950_00, product: 'C' });
  world.submit({
    type: 'SetSwitch',
    target: { kind: 'AccountKill', account: ASHA },
    on: true,
    by: 'desk',
    why: 'a drill',
  });
  const report = await risk.of('ASHA');
  assert.ok(report);
  const [position, ...others] = report.positionRows;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [position?.exchange, position?.symbol, position?.product, position?.netQuantity, position?.averagePrice],
    ['NSE', 'RELIANCE-EQ', 'I', 10, '1000.00'],
  );
  assert.deepEqual(
    report.openOrders.map(({ order, symbol, side, open, price }) => [order, symbol, side, open, price]),
    [[resting.number, 'RELIANCE-EQ', 'B', 5, '950.00']],
  );
  assert.deepEqual([report.killed, report.openOrderCount, report.positionRowCount], [true, 1, 1]);
});

test('those who ask at the same time share one measurement', async () => {
  const { world, risk } = opened();
  const [one, other] = await Promise.all([risk.list('result', 10), risk.list('marginUsed', 10)]);
  world.place({ by: ASHA, of: RELIANCE.id, side: 'B', units: 10, product: 'I' });
  const soon = await risk.list('marginUsed', 10);
  assert.deepEqual([one.totals, soon.totals], [other.totals, other.totals]);
});

test('a hundred thousand accounts are measured in many turns of the event loop, and the 500 first are kept', async () => {
  const { world, risk } = opened();
  world.place({ by: RAVI, of: NIFTY_FUTURE.id, side: 'B', units: NIFTY_FUTURE.lot });
  const like = world.account(RAVI);
  for (let id = 3; id < 100_000; id += 1) world.state.accounts.push({ ...like, id: id as AccountId, userId: `U${id}` });
  let turns = 0;
  const counter = setInterval(() => {
    turns += 1;
  }, 0);
  const { rows, totals } = await risk.list('marginUsed', 500);
  clearInterval(counter);
  assert.equal(totals.accounts, 100_000);
  assert.deepEqual([rows.length, rows[0]?.userId, rows[499]?.userId], [500, 'RAVI', 'U501']);
  assert.ok(turns >= 10, `the loop turned ${turns} times`);
});

test('the port answers risk by its routes, and refuses what it does not know', async () => {
  const { world, risk } = opened();
  world.place({ by: ASHA, of: RELIANCE.id, side: 'B', units: 10, product: 'I' });
  await withOperatorPort(
    () => ({ risk }),
    {},
    async ({ address, get }) => {
      const list = (await (await get('/risk?sort=result&limit=2')).json()) as RiskReport;
      assert.deepEqual([list.rows.length, list.totals.accounts], [2, 3]);
      const asha = (await (await get('/risk/ASHA')).json()) as UserRiskReport;
      assert.deepEqual([asha.userId, asha.positions], ['ASHA', 1]);
      assert.equal((await get('/risk/NOBODY')).status, 404);
      for (const wrong of ['sort=fun', 'limit=0', 'limit=501', 'limit=1e2', 'page=2']) {
        assert.equal((await get(`/risk?${wrong}`)).status, 400, wrong);
      }
      assert.equal((await fetch(`${address}/risk`)).status, 401);
    },
  );
});

test('sauda risk prints the accounts, or one of them', async () => {
  const { world, risk } = opened();
  world.place({ by: ASHA, of: RELIANCE.id, side: 'B', units: 10, product: 'I' });
  await withOperatorPort(
    () => ({ risk }),
    {},
    async ({ run }) => {
      const table = (await run('risk', '--limit', '2')).split('\n');
      assert.match(table[0] ?? '', /^user +margin used +available +used % +result +largest +share %$/);
      assert.match(table[1] ?? '', /^ASHA +\d+\.\d\d +\d+\.\d\d +\d+\.\d +0\.00 +RELIANCE-EQ +100\.0$/);
      assert.match(table.at(-1) ?? '', /^3 accounts, 1 with positions, 0 losing, 0 with more margin than funds; /);
      assert.match(await run('risk', 'ASHA'), /^risk of ASHA at \d{4}-.*\n[\s\S]*\nNSE RELIANCE-EQ +I +10 +/);
      assert.equal(JSON.parse(await run('risk', 'ASHA', '--json')).userId, 'ASHA');
      await assert.rejects(run('risk', 'NOBODY'), (error) => {
        return error instanceof CommandFailed && error.message === 'there is no user NOBODY';
      });
    },
  );
});
