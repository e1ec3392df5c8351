import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Price } from '../../../src/base/money.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { ExchangeDay } from '../../kit/exchange/exchange-day.ts';

/** A Friday; times behind its midnight are counted on: 72:00 is the midnight at which Monday begins. */
const FRIDAY = '2026-12-04';
const ITC = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
const ITC_FUTURE = { exchange: 'NFO', tradingSymbol: 'ITC29DEC26F' };
const RELIANCE = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
const NIFTY = { exchange: 'NSE', tradingSymbol: 'Nifty 50' };

const open: ExchangeDay[] = [];
after(async () => {
  for (const day of open) await day.close();
});

type Row = Readonly<Record<string, string>>;
type Named = typeof ITC;

class Alerts {
  readonly day: ExchangeDay;

  private constructor(day: ExchangeDay) {
    this.day = day;
  }

  static async open(): Promise<Alerts> {
    const day = new ExchangeDay(FRIDAY);
    open.push(day);
    await day.open();
    return new Alerts(day);
  }

  instrument({ exchange, tradingSymbol }: Named): Instrument {
    return this.day.instrument(exchange as 'NSE' | 'NFO', tradingSymbol);
  }

  /** An alert this many per cent away from the last price. */
  async place(name: string, condition: 'ABOVE' | 'BELOW', percent: number, of: Named): Promise<void> {
    const price = this.day.priceNear(this.instrument(of), percent);
    const placed = await this.day.call('ALICE', 'placeAlert', { ...of, condition, price, remarks: name });
    assert.ok(typeof placed === 'object', String(placed));
  }

  /** The status of each alert by its name. */
  async statuses(): Promise<Row> {
    const rows = (await this.day.call('ALICE', 'getAlerts', {})) as readonly Row[];
    return Object.fromEntries(rows.map(({ remarks, status }) => [remarks, status]));
  }

  async row(name: string): Promise<Row> {
    const rows = (await this.day.call('ALICE', 'getAlerts', {})) as readonly Row[];
    return rows.find(({ remarks }) => remarks === name) ?? assert.fail(name);
  }

  async announce(words: { readonly kind: 'bonus' | 'dividend'; readonly after: number; readonly dividend: number }) {
    const listings = [this.instrument(ITC).id, this.day.instrument('BSE', 'ITC').id] as const;
    const action = { ...words, dividend: words.dividend as Price, before: 1, listings, exDay: this.day.dayAfter(3) };
    assert.equal((await this.day.submit({ type: 'AnnounceCorporateAction', ...action })).type, 'Done');
  }

  async suspend(of: Named, on: boolean): Promise<void> {
    const target = { kind: 'Suspension', instrument: this.instrument(of).id } as const;
    await this.day.submit({ type: 'SetSwitch', target, on, by: 'asha', why: 'a test' });
  }
}

test('an alert waits for continuous trading, and that of an index does not', async () => {
  const alerts = await Alerts.open();
  alerts.day.passTo('09:05');
  await alerts.place('share', 'ABOVE', -15, RELIANCE);
  await alerts.place('index', 'ABOVE', -15, NIFTY);
  assert.deepEqual(await alerts.statuses(), { share: 'ACTIVE', index: 'FIRED' });
  alerts.day.passTo('09:14:59');
  assert.equal((await alerts.statuses()).share, 'ACTIVE');
  alerts.day.passTo('09:15:05');
  const { status, firedAt, firedPrice, price } = await alerts.row('share');
  assert.equal(status, 'FIRED');
  assert.match(firedAt ?? '', /^09:15:0\d 04-12-2026$/);
  assert.ok(Number(firedPrice) >= Number(price));
});

test('an alert waits while its instrument is suspended, and then takes the next price', async () => {
  const alerts = await Alerts.open();
  alerts.day.passTo('10:00');
  await alerts.suspend(RELIANCE, true);
  await alerts.place('held up', 'BELOW', 10, RELIANCE);
  alerts.day.passTo('10:00:30');
  assert.equal((await alerts.statuses())['held up'], 'ACTIVE');
  await alerts.suspend(RELIANCE, false);
  alerts.day.passTo('10:00:31');
  assert.equal((await alerts.statuses())['held up'], 'FIRED');
});

test('alerts on a share and its contracts expire with the ex-date of a bonus, and watchlists show the new contract', async () => {
  const alerts = await Alerts.open();
  alerts.day.passTo('10:00');
  await alerts.place('share', 'BELOW', -40, ITC);
  await alerts.place('future', 'BELOW', -40, ITC_FUTURE);
  await alerts.place('other share', 'BELOW', -40, RELIANCE);
  await alerts.day.call('ALICE', 'saveWatchlist', { name: 'ITC', instruments: [ITC_FUTURE, ITC] });
  const tokens = async () => {
    const [list] = (await alerts.day.call('ALICE', 'getWatchlists', {})) as { instruments: Row[] }[];
    return list?.instruments.map(({ token }) => Number(token));
  };
  const before = alerts.instrument(ITC_FUTURE).token;
  await alerts.announce({ kind: 'bonus', after: 2, dividend: 0 });
  alerts.day.passTo('23:59:59');
  assert.deepEqual(await alerts.statuses(), { share: 'ACTIVE', future: 'ACTIVE', 'other share': 'ACTIVE' });
  assert.deepEqual(await tokens(), [before, alerts.instrument(ITC).token]);
  alerts.day.passTo('24:00:01');
  assert.deepEqual(await alerts.statuses(), { share: 'EXPIRED', future: 'EXPIRED', 'other share': 'ACTIVE' });
  const replaced = alerts.instrument(ITC_FUTURE).token;
  assert.notEqual(replaced, before);
  assert.deepEqual(await tokens(), [replaced, alerts.instrument(ITC).token]);
  assert.equal((await alerts.row('share')).firedAt, '');
});

test('an ordinary dividend leaves alerts as they are, and a special one ends them', async () => {
  for (const [dividend, status] of [
    [1_00, 'ACTIVE'],
    [40_00, 'EXPIRED'],
  ] as const) {
    const alerts = await Alerts.open();
    alerts.day.passTo('10:00');
    await alerts.place('share', 'BELOW', -40, ITC);
    await alerts.announce({ kind: 'dividend', after: 1, dividend });
    alerts.day.passTo('24:00:01');
    assert.deepEqual(await alerts.statuses(), { share: status });
  }
});

test('an alert on a contract expires as the day after its last one begins, and the contract leaves watchlists', async () => {
  const alerts = await Alerts.open();
  alerts.day.passTo('10:00');
  const { tradingSymbol } = alerts.day.instrument('NFO', 'ATM');
  const option = { exchange: 'NFO', tradingSymbol };
  await alerts.place('option', 'ABOVE', 900, option);
  await alerts.day.call('ALICE', 'saveWatchlist', { name: 'one', instruments: [option, RELIANCE] });
  const watched = async () => {
    const [list] = (await alerts.day.call('ALICE', 'getWatchlists', {})) as { instruments: Row[] }[];
    return list?.instruments.length;
  };
  // The option expires on Tuesday, 8 December.
  alerts.day.passTo('111:00');
  assert.deepEqual([await alerts.statuses(), await watched()], [{ option: 'ACTIVE' }, 2]);
  alerts.day.passTo('111:45');
  assert.equal(await watched(), 1);
  alerts.day.passTo('120:00:01');
  assert.deepEqual(await alerts.statuses(), { option: 'EXPIRED' });
});
