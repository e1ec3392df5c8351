import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FolderTally } from '../../../src/app/branches/folder-tally.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise, quantity } from '../../../src/base/money.ts';
import { type EpochMs, HOUR_MS, type IstDay, istDay, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import { MONEY_BOOKS } from '../../../src/core/ledger/books.ts';
import type { MarketData } from '../../../src/core/market.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import type { ComparedUser } from '../../../src/operator/cli/folder/compare-command.ts';
import { FIRST_DAY, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { RULES } from '../../kit/rules.ts';
import { serviceWithOneOfEach } from '../../kit/settlement/one-of-each.ts';
import { Service } from '../../kit/settlement/service.ts';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { paiseOf } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld } from '../../kit/wire/world.ts';

const SUMMED = ['net', 'realised', 'open', 'charges', 'orders', 'fills', 'turnover'] as const;

/** The sums of a user over the records after `since`, up to `end`. */
function tallyOf(
  records: readonly JournalRecord[],
  since: number,
  end: number,
  parts: Pick<ConstructorParameters<typeof FolderTally>[0], 'market' | 'charges'>,
  user = 0,
): ComparedUser {
  const from = records[Math.max(0, since - 1)]?.at ?? (0 as EpochMs);
  const to = records[end - 1]?.at ?? from;
  const tally = new FolderTally({ live: LIVE.empty(), ...parts, since, from, to, isWanted: () => true });
  for (const record of records.slice(0, end)) tally.take(record);
  const row = tally.rows()[user];
  assert.ok(row);
  return row;
}

/** The market of a service, which names the trading day of an instant for the users' own last prices. */
function marketOf({ market }: Service): MarketData {
  return Object.assign(Object.create(market), { tradingDay: istDay });
}

/** Trades of every kind over an expiry, a holiday and a weekend, and a way out of all of them. */
async function weekOfTrades(): Promise<readonly JournalRecord[]> {
  const service = await serviceWithOneOfEach();
  service.pass(istInstant((FIRST_DAY + 1) as IstDay, 11 * HOUR_MS));
  await service.submit({ type: 'DepositCash', account: 0 as AccountId, amount: paise(5_000_00), opening: false });
  await service.trade({ of: RELIANCE.id, side: 'S', units: quantity(5), at: 1_250_00, product: 'I' });
  service.pass(istInstant((FIRST_DAY + 3) as IstDay, 11 * HOUR_MS));
  await service.trade({ of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 24_300_00 });
  await service.submit({ type: 'PayOutCash', account: 0 as AccountId, amount: paise(1_000_00) });
  service.pass(istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS));
  await service.turns();
  const records: JournalRecord[] = [];
  readHistory(service.journal, { ...GENESIS, at: 0 }, (more) => records.push(...more));
  return records;
}

test('sums over days, an expiry and deliveries are those of any two parts of them together', async () => {
  const records = await weekOfTrades();
  const parts = { market: marketOf(new Service()), charges: RULES.charges };
  const whole = tallyOf(records, 0, records.length, parts);
  assert.deepEqual([whole.orders, whole.fills], [7, 7]);
  assert.ok(whole.charges > 0 && whole.drawdown > 0 && whole.open !== 0, JSON.stringify(whole));
  const first = records.findIndex(({ command }) => command.type === 'RegisterUser') + 1;
  for (let since = first; since <= records.length; since += 1) {
    const [before, behind] = [tallyOf(records, 0, since, parts), tallyOf(records, since, records.length, parts)];
    for (const name of SUMMED) {
      assert.equal(
        before[name] + behind[name],
        whole[name],
        `${name}, cut at record ${since} (${records[since - 1]?.command.type})`,
      );
    }
  }
});

test('the net result is what the account is worth less what was paid in', async () => {
  const records = await weekOfTrades();
  const market = marketOf(new Service());
  const live = LIVE.empty();
  for (const record of records) live.fold(record);
  const [account] = live.state.accounts;
  assert.ok(account);
  let worth = MONEY_BOOKS.reduce((sum, book) => sum + account.books[book], 0);
  for (const { settled, unsettled, instrument } of account.holdings.values()) {
    worth += (settled + unsettled) * market.lastPrint(instrument, market.tickAt(live.at)).price;
  }
  assert.equal(account.positions.size, 0, 'everything is closed or delivered');
  const { net } = tallyOf(records, 0, records.length, { market, charges: RULES.charges });
  assert.equal(net, worth - 1_000_000_000 - 5_000_00 + 1_000_00);
});

test('the figures are those that the service answers, the drawdown of the day curve among them', async () => {
  const world = await openWorld();
  world.engine.ports = { ...world.engine.ports, charges: RULES.charges };
  const records: JournalRecord[] = [];
  world.engine.feed.subscribe(0, { take: (more) => void records.push(...more), lost: assert.fail });
  const contract = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F', product: 'M', quantity: '65' };
  for (const user of [ALICE, BOB]) await world.place(user, { ...MARKET_BUY, product: 'I', quantity: '10' });
  world.now = (world.now + 3 * MINUTE_MS) as EpochMs;
  await world.place(ALICE, { ...MARKET_BUY, ...contract });
  world.now = (world.now + 3 * MINUTE_MS) as EpochMs;
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', transactionType: 'S', quantity: '4' });
  await world.place(ALICE, { ...MARKET_BUY, transactionType: 'S', quantity: '30' });
  await new Promise(setImmediate);
  const results = JSON.parse((await world.call('/getResults', ALICE)).text).data;
  const holdings = JSON.parse((await world.call('/getHoldings', ALICE)).text).data;
  const row = tallyOf(records, 0, records.length, { market: fakeMarket, charges: RULES.charges });
  assert.equal(row.charges, paiseOf(results.charges));
  assert.equal(row.realised, paiseOf(results.realised));
  assert.equal(row.open, paiseOf(results.open) + paiseOf(holdings.result));
  assert.deepEqual([row.orders, row.fills], [4, 4]);
  const other = tallyOf(records, 0, records.length, { market: fakeMarket, charges: RULES.charges }, BOB.account);
  const curve = JSON.parse((await world.call('/getDayCurve', BOB)).text).data;
  assert.equal(other.drawdown, paiseOf(curve.greatestDrawdown), 'of a user without shares');
  assert.ok(other.drawdown > 0);
  await world.close();
});
