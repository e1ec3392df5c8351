import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, listed, NIFTY, PAYTM, RELIANCE, RELIANCE_BSE } from '../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../test/kit/money/still-market.ts';
import { World } from '../../../test/kit/money/world.ts';
import { withOperatorPort } from '../../../test/kit/operator-port.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import { type EpochMs, formatIsoDay, type IstDay } from '../../base/time.ts';
import type { Instrument, InstrumentDirectory } from '../../core/instrument.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { CorporateActionOperations } from './corporate-action-operations.ts';

const EX_DATE = formatIsoDay((FIRST_DAY + 3) as IstDay);
const SHARES: readonly Instrument[] = [RELIANCE, RELIANCE_BSE, PAYTM];

/** A running operator's port over a core of its own, and the command line that talks to it. */
async function opened(body: (run: (line: string) => Promise<string>, world: World) => Promise<void>): Promise<void> {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
  const world = new World(testPorts({ market }), FIRST_DAY);
  await withOperatorPort(
    () => ({ corporate: deskOf(world, market) }),
    {},
    ({ run }) => body((line) => run(...line.split(' ')), world),
  );
}

function deskOf(world: World, market: StillMarket): CorporateActionOperations {
  const engine = worldEngine(world);
  const instruments = {
    get: listed.get,
    find: (exchange: string, symbol: string) =>
      [...SHARES, NIFTY].find((one) => one.exchange === exchange && one.tradingSymbol === symbol),
    list: (exchange: string) => SHARES.filter((one) => one.exchange === exchange),
  } as unknown as InstrumentDirectory;
  return new CorporateActionOperations({
    engine,
    instruments,
    hasImportedContracts: (underlying) => underlying === PAYTM.id,
    priceOf: (id) => market.previousClose(id),
  });
}

async function fails(done: Promise<string>, message: RegExp): Promise<void> {
  await assert.rejects(done, (error) => {
    assert.ok(error instanceof CommandFailed, String(error));
    assert.equal(error.exitCode, EXIT_FAILED);
    assert.match(error.message, message);
    return true;
  });
}

test('a bonus, a split and a dividend are announced in the words of companies, on every listing of the share', async () => {
  await opened(async (run, world) => {
    const bonus = await run(`corporate bonus RELIANCE 1:2 --ex-date ${EX_DATE}`);
    assert.equal(bonus, `${EX_DATE} NSE RELIANCE-EQ: bonus, 1 new for 2, contracts are adjusted`);
    const [action] = world.state.corporateActions;
    assert.deepEqual([action?.before, action?.after, action?.dividend], [2, 3, 0]);
    assert.deepEqual(action?.listings, [RELIANCE.id, RELIANCE_BSE.id]);
    const later = (days: number) => formatIsoDay((FIRST_DAY + 3 + days) as IstDay);
    const split = await run(`corporate split RELIANCE --exchange BSE 10:2 --ex-date ${later(1)}`);
    assert.equal(split, `${later(1)} BSE RELIANCE: split, 5 for 1, contracts are adjusted`);
    const small = await run(`corporate dividend RELIANCE-EQ 19.99 --ex-date ${later(2)}`);
    assert.equal(small, `${later(2)} NSE RELIANCE-EQ: dividend, 19.99 rupees a share`);
    const special = await run(`corporate dividend RELIANCE-EQ 20 --ex-date ${later(3)}`);
    assert.match(special, /20\.00 rupees a share, contracts are adjusted$/);
    world.passTo(((world.at as number) + 3 * 86_400_000) as EpochMs);
    assert.match(
      await run('corporate list'),
      /^.*bonus, 1 new for 2, contracts are adjusted \(in effect\)\n.*split, 5 for 1/,
    );
    const rows = JSON.parse(await run('corporate list --json')) as { isin: string; inEffect: boolean }[];
    assert.deepEqual(
      rows.map(({ isin, inEffect }) => [isin, inEffect]),
      [true, false, false, false].map((inEffect) => [RELIANCE.isin, inEffect]),
    );
  });
});

test('an announcement can be withdrawn until its ex-date', async () => {
  await opened(async (run, world) => {
    assert.equal(await run('corporate list'), 'nothing is announced');
    await run(`corporate split RELIANCE 10:1 --ex-date ${EX_DATE}`);
    assert.equal(
      await run(`corporate withdraw RELIANCE --ex-date ${EX_DATE}`),
      `nothing happens to RELIANCE on ${EX_DATE}`,
    );
    assert.deepEqual(world.state.corporateActions, []);
    await fails(run(`corporate withdraw RELIANCE --ex-date ${EX_DATE}`), /no corporate action/);
  });
});

test('a corporate action that cannot be is refused in words, and nothing is announced', async () => {
  await opened(async (run, world) => {
    const ex = `--ex-date ${EX_DATE}`;
    await fails(run(`corporate split NOBODY 10:1 ${ex}`), /there is no share NOBODY on NSE/);
    await fails(run(`corporate split NIFTY 10:1 ${ex}`), /there is no share NIFTY on NSE/);
    await fails(run(`corporate split RELIANCE 1:10 ${ex}`), /there must be more/);
    await fails(run(`corporate split RELIANCE ten ${ex}`), /ratio of two whole numbers/);
    await fails(run(`corporate bonus RELIANCE 0:1 ${ex}`), /ratio of two whole numbers/);
    await fails(run(`corporate dividend RELIANCE 0 ${ex}`), /rupees above 0/);
    await fails(run(`corporate dividend RELIANCE 500.05 ${ex}`), /above half of the last close/);
    await fails(run('corporate split RELIANCE 10:1 --ex-date 2026-13-01'), /not a date/);
    await fails(run(`corporate split RELIANCE 10:1 --ex-date ${formatIsoDay(FIRST_DAY)}`), /must lie after/);
    await fails(run(`corporate split PAYTM 10:1 ${ex}`), /imported file/);
    assert.deepEqual(world.state.corporateActions, []);
    assert.match(await run(`corporate dividend PAYTM 1 ${ex}`), /1\.00 rupees a share$/);
    await fails(run(`corporate dividend PAYTM 1 ${ex}`), /already/);
  });
});
