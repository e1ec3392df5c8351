import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { type Price, quantity } from '../../../src/base/money.ts';
import type { AnnounceCorporateAction } from '../../../src/core/command.ts';
import type { Equity } from '../../../src/core/instrument.ts';
import { ExchangeDay } from '../../kit/exchange/exchange-day.ts';

/** A Friday; the ex-date is the Monday after it. */
const FRIDAY = '2026-12-04';
const FUTURE = 'ITC29DEC26F';
const SHARE = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
const CONTRACT = { exchange: 'NFO', tradingSymbol: FUTURE };

const open: ExchangeDay[] = [];
after(async () => {
  for (const day of open) await day.close();
});

type Row = Readonly<Record<string, string>>;

/** A service in which BHIM holds ITC and has bought it and a lot of its future on a day. */
class Eve {
  readonly day: ExchangeDay;

  private constructor(day: ExchangeDay) {
    this.day = day;
  }

  static async open(date = FRIDAY): Promise<Eve> {
    const day = new ExchangeDay(date);
    open.push(day);
    await day.open();
    const share = day.instrument('NSE', 'ITC-EQ');
    await day.submit({
      type: 'CreditHolding',
      account: 1 as never,
      instrument: share.id,
      quantity: quantity(100),
      cost: 40_000_00 as never,
    });
    day.passTo('10:00');
    await day.place('a lot', 'BHIM', { ...CONTRACT, ...order('B', 'M', day.instrument('NFO', FUTURE).lot) });
    assert.match(await day.statusOf('a lot'), /^COMPLETE/);
    return new Eve(day);
  }

  async announce(words: Partial<AnnounceCorporateAction> = {}, days = 3) {
    const listings = [this.day.instrument('NSE', 'ITC-EQ').id, this.day.instrument('BSE', 'ITC').id] as const;
    const bonus = { kind: 'bonus', before: 1, after: 2, dividend: 0 as Price, exDay: this.day.dayAfter(days) } as const;
    const reply = await this.day.submit({ type: 'AnnounceCorporateAction', listings, ...bonus, ...words });
    assert.equal(reply.type, 'Done');
  }

  async withdraw() {
    const { isin } = this.day.instrument('NSE', 'ITC-EQ') as Equity;
    const reply = await this.day.submit({ type: 'WithdrawCorporateAction', isin, exDay: this.day.dayAfter(3) });
    return reply.type === 'Refused' ? reply.refusal.rule : reply.type;
  }

  async quote(name: typeof SHARE): Promise<Row> {
    const rows = await this.day.call('BHIM', 'getMultiQuotes', { data: [name] });
    assert.ok(Array.isArray(rows), JSON.stringify(rows));
    return rows[0];
  }

  async position(): Promise<Row> {
    const rows = (await this.day.call('BHIM', 'positionBook', {})) as readonly Row[];
    return must(
      rows.find((row) => row.exchange === 'NFO'),
      'a position',
    );
  }

  async held(): Promise<string> {
    const [row] = (await this.day.call('BHIM', 'holdingsDetails', {})) as readonly Row[];
    return must(row?.holdQuantity, 'shares');
  }

  /** The share and its future as every answer shows them at this moment. */
  async seen() {
    const [share, future, position] = [await this.quote(SHARE), await this.quote(CONTRACT), await this.position()];
    return { share, future, position, held: await this.held() };
  }
}

function order(transactionType: 'B' | 'S', product: string, units: number): Row {
  return { transactionType, product, quantity: String(units), price: '0', priceType: 'MKT', mkt_protection: '5' };
}

const near = (text: string | undefined, value: number): boolean => Math.abs(Number(text) / value - 1) < 0.002;

test('issue 17, 4.1: holdings, quotes, positions and contracts of a share change in one instant, at the midnight after Friday', async () => {
  const eve = await Eve.open();
  await eve.announce();
  eve.day.passTo('23:59:59');
  const before = await eve.seen();
  assert.equal(before.held, '100');
  assert.equal(before.position.token, before.future.token);
  for (const time of ['24:00:00', '34:00:00', '58:00:00', '72:30:00']) {
    eve.day.passTo(time);
    const now = await eve.seen();
    assert.equal(now.held, '200', time);
    assert.ok(near(now.share.lastTradedPrice, Number(before.share.lastTradedPrice) / 2), `last price at ${time}`);
    assert.equal(now.position.token, now.future.token, time);
    assert.notEqual(now.future.token, before.future.token);
    assert.equal(now.position.lotSize, now.future.lotSize);
    assert.equal(Number(now.future.lotSize), 2 * Number(before.future.lotSize));
    assert.ok(near(now.future.lastTradedPrice, Number(before.future.lastTradedPrice) / 2), `future at ${time}`);
    assert.equal(now.position.lastTradedPrice, now.future.lastTradedPrice);
    if (time === '72:30:00') continue;
    for (const field of ['dayOpenPrice', 'dayHighPrice', 'dayLowPrice', 'dayClosePrice', 'VWAP']) {
      assert.ok(near(now.share[field], Number(before.share[field]) / 2), `${field} at ${time}: ${now.share[field]}`);
    }
  }
});

test('issue 17, 4.1: an exit can be queued on the weekend before an ex-date, in the new lot, and trades on Monday', async () => {
  const eve = await Eve.open();
  const oldLot = eve.day.instrument('NFO', FUTURE).lot;
  await eve.announce();
  eve.day.passTo('34:00');
  await eve.day.place('old lot', 'BHIM', { ...CONTRACT, ...order('S', 'M', oldLot) });
  assert.match(await eve.day.statusOf('old lot'), /^REJECTED .*ot/, 'not a multiple of the lot');
  await eve.day.place('new lot', 'BHIM', { ...CONTRACT, ...order('S', 'M', 2 * oldLot) });
  await eve.day.place('shares', 'BHIM', { ...SHARE, ...order('S', 'C', 200) });
  for (const name of ['new lot', 'shares']) assert.match(await eve.day.statusOf(name), /^AMO OPEN 0 of/, name);
  eve.day.passTo('82:00');
  assert.match(await eve.day.statusOf('new lot'), /^COMPLETE/);
  assert.match(await eve.day.statusOf('shares'), /^COMPLETE 200 of 200/);
  assert.equal((await eve.position()).netQuantity, '0');
});

test('issue 17, 4.1: an order of the evening waits in the terms of the day that it waits for', async () => {
  const eve = await Eve.open();
  const oldLot = eve.day.instrument('NFO', FUTURE).lot;
  await eve.announce();
  eve.day.passTo('17:00');
  await eve.day.place('old lot', 'BHIM', { ...CONTRACT, ...order('S', 'M', oldLot) });
  assert.match(await eve.day.statusOf('old lot'), /^REJECTED .*ot/);
  await eve.day.place('new lot', 'BHIM', { ...CONTRACT, ...order('S', 'M', 2 * oldLot) });
  await eve.day.place('shares', 'BHIM', { ...SHARE, ...order('S', 'C', 200) });
  eve.day.passTo('82:00');
  for (const name of ['new lot', 'shares']) assert.match(await eve.day.statusOf(name), /^COMPLETE/, name);
  assert.equal((await eve.position()).netQuantity, '0');
});

test('issue 17, 4.1: what waits when an action is announced or withdrawn is cancelled, since it was meant in other terms', async () => {
  const eve = await Eve.open();
  const oldLot = eve.day.instrument('NFO', FUTURE).lot;
  eve.day.passTo('17:00');
  const other = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
  await eve.day.place('before', 'BHIM', { ...CONTRACT, ...order('S', 'M', oldLot) });
  await eve.day.place('shares before', 'BHIM', { ...SHARE, ...order('S', 'C', 100) });
  await eve.day.place('other', 'BHIM', { ...other, ...order('B', 'C', 1) });
  await eve.announce();
  const cancelled = /^CANCELED 0 of .*a corporate action changed its terms/;
  for (const name of ['before', 'shares before']) assert.match(await eve.day.statusOf(name), cancelled, name);
  assert.match(await eve.day.statusOf('other'), /^AMO OPEN/);
  await eve.day.place('shares after', 'BHIM', { ...SHARE, ...order('S', 'C', 200) });
  assert.equal(await eve.withdraw(), 'Done');
  assert.match(await eve.day.statusOf('shares after'), cancelled);
  await eve.day.place('as ever', 'BHIM', { ...CONTRACT, ...order('S', 'M', oldLot) });
  eve.day.passTo('82:00');
  assert.match(await eve.day.statusOf('as ever'), /^COMPLETE/);
});

test('issue 17, 4.1: an action stands once orders were taken in contracts that exist by it alone', async () => {
  const eve = await Eve.open();
  await eve.announce();
  eve.day.passTo('17:00');
  const { lot } = eve.day.instrument('NFO', FUTURE);
  await eve.day.place('exit', 'BHIM', { ...CONTRACT, ...order('S', 'M', 2 * lot) });
  await eve.day.cancel('exit');
  assert.equal(await eve.withdraw(), 'OrdersInAdjustedContracts');
  assert.match(await eve.day.statusOf('exit'), /^CANCELED/);
});

test('issue 17, 4.1: over a holiday in the week the same instant counts for a dividend', async () => {
  const eve = await Eve.open('2026-11-09');
  await eve.announce({ kind: 'dividend', after: 1, dividend: 20_00 as Price, exDay: eve.day.dayAfter(2) });
  eve.day.passTo('23:59:59');
  const before = await eve.seen();
  eve.day.passTo('34:00');
  const now = await eve.seen();
  assert.ok(near(now.share.lastTradedPrice, Number(before.share.lastTradedPrice) - 20), '10 November is a holiday');
  assert.equal(now.position.token, now.future.token);
  assert.notEqual(now.future.token, before.future.token);
  assert.ok(near(now.future.lastTradedPrice, Number(before.future.lastTradedPrice) - 20));
  await eve.day.place('exit', 'BHIM', { ...CONTRACT, ...order('S', 'M', Number(now.future.lotSize)) });
  assert.match(await eve.day.statusOf('exit'), /^AMO OPEN/);
});

test("issue 17, 4.1: a user's own last trade of Friday is shown in the terms of the weekend", async () => {
  const eve = await Eve.open();
  await eve.announce();
  eve.day.passTo('15:55');
  const close = Number((await eve.quote(SHARE)).lastTradedPrice);
  await eve.day.place('after the close', 'BHIM', { ...SHARE, ...order('B', 'C', 1) });
  assert.match(await eve.day.statusOf('after the close'), /^COMPLETE/);
  eve.day.passTo('23:59:59');
  assert.equal(Number((await eve.quote(SHARE)).lastTradedPrice), close);
  eve.day.passTo('34:00');
  assert.ok(near((await eve.quote(SHARE)).lastTradedPrice, close / 2));
});
