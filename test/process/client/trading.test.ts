import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuthError, InvalidRequest, SaudaError } from '../../../client/src/errors.ts';
import type { Instrument } from '../../../client/src/instrument.ts';
import { fromPaise, toPaise } from '../../../client/src/money.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import { Sauda } from '../../../client/src/sauda.ts';
import { type StartedSauda, startSauda } from '../../../client/src/testing.ts';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { LAUNCHER } from '../start/started-service.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { LossyProxy } from './lossy-proxy.ts';

const COMMAND = [process.execPath, LAUNCHER];
const ITC: Instrument = 'NSE:ITC-EQ';
const BUY = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  quantity: 1,
  product: 'C',
  priceType: 'MKT',
} as const satisfies NewOrder;

let service: StartedSauda;
let sauda: Sauda;
/** A limit that stays in the book: below the market, within the band. */
let low: string;

before(async () => {
  service = await startSauda({ seed: 7, command: COMMAND });
  sauda = await service.login();
  low = fromPaise(Math.round((toPaise(await sauda.market.ltp(ITC)) * 0.95) / 5) * 5);
});
after(() => service.stop());

describe('the client trades on a started service', () => {
  it('waits for an order to be filled, accepted or refused', async () => {
    const filled = await sauda.orders.placeAndWait({ ...BUY, quantity: 10 }, { until: 'final' });
    assert.equal(filled.outcome, 'filled');
    const trades = (await sauda.trades()).filter(({ orderNumber }) => orderNumber === filled.orderNumber);
    assert.equal(
      trades.reduce((sum, { fillQuantity }) => sum + Number(fillQuantity), 0),
      10,
    );
    const resting = await sauda.orders.placeAndWait({ ...BUY, priceType: 'LMT', price: low }, { until: 'accepted' });
    assert.equal(resting.outcome, 'accepted');
    const refused = await sauda.orders.placeAndWait({ ...BUY, priceType: 'LMT', price: '1.00' }, { until: 'accepted' });
    assert.ok(refused.outcome === 'refused' && /circuit limit/.test(refused.reason), JSON.stringify(refused));
  });

  it('modifies and cancels, and a refusal of either is a result', async () => {
    const { orderNumber } = await sauda.orders.place({ ...BUY, quantity: 5, priceType: 'LMT', price: low });
    const higher = fromPaise(toPaise(low) + 5);
    assert.equal((await sauda.orders.modify(orderNumber, { price: higher })).outcome, 'taken');
    const { price, quantity } = await sauda.orders.get(orderNumber);
    assert.deepEqual({ price, quantity }, { price: higher, quantity: '5' }, 'the other terms stay');
    assert.equal((await sauda.orders.cancel(orderNumber)).outcome, 'taken');
    const again = await sauda.orders.cancel(orderNumber);
    assert.ok(again.outcome === 'refused' && /not open/.test(again.reason), JSON.stringify(again));
    const late = await sauda.orders.modify(orderNumber, { price: low });
    assert.equal(late.outcome, 'refused');
    const [last] = await sauda.orders.history(orderNumber);
    assert.equal(must(last, 'a step').orderNumber, orderNumber);
    const cancelled = await sauda.orders.wait(orderNumber, { until: 'final' });
    assert.equal(cancelled.outcome, 'cancelled');
  });

  it('modifies a stop with its trigger kept', async () => {
    const trigger = fromPaise(Math.round((toPaise(await sauda.market.ltp(ITC)) * 1.05) / 5) * 5);
    const stop = { ...BUY, priceType: 'SL-LMT', triggerPrice: trigger, price: trigger } as const;
    const placed = await sauda.orders.placeAndWait(stop, { until: 'accepted' });
    assert.equal(placed.outcome, 'accepted', JSON.stringify(placed));
    assert.equal((await sauda.orders.modify(placed.orderNumber, { quantity: 2 })).outcome, 'taken');
    assert.equal((await sauda.orders.get(placed.orderNumber)).triggerPrice, trigger);
  });

  it('reads the portfolio and converts a position', async () => {
    await sauda.orders.placeAndWait({ ...BUY, product: 'I', quantity: 2 }, { until: 'final' });
    const converted = await sauda.portfolio.convert({ instrument: ITC, from: 'I', to: 'C', quantity: 2 });
    assert.equal(converted.outcome, 'converted');
    const refused = await sauda.portfolio.convert({ instrument: ITC, from: 'I', to: 'C', quantity: 2 });
    assert.equal(refused.outcome, 'refused');
    assert.ok((await sauda.portfolio.positions()).some(({ tradingSymbol }) => tradingSymbol === 'ITC-EQ'));
    assert.ok(Array.isArray(await sauda.portfolio.holdings()));
    assert.match((await sauda.portfolio.limits()).cash, /^\d+\.\d\d$/);
  });

  it('asks for margins and charges', async () => {
    const order = { ...BUY, quantity: 10 };
    assert.ok(toPaise((await sauda.margin.order(order)).marginOnNewOrder) > 0);
    assert.equal((await sauda.margin.basket([order, order])).BasketMargin.length, 3);
    assert.match((await sauda.margin.charges({ ...order, price: low })).gst, /^\d+\.\d{4}$/);
  });

  it('reads the market', async () => {
    assert.equal((await sauda.market.quote(ITC)).tradingSymbol, 'ITC-EQ');
    const list = (await sauda.market.search('ITC')).filter(({ exchange }) => exchange === 'NSE');
    const rows = await sauda.market.ltp(list);
    assert.deepEqual(
      rows.map(({ tradingSymbol }) => tradingSymbol),
      list.map(({ tradingSymbol }) => tradingSymbol),
    );
    const many = Array.from({ length: 130 }, () => ITC);
    assert.equal((await sauda.market.quotes(many)).length, 130);
    const to = new Date();
    const from = new Date(to.getTime() - 3_600_000);
    const candles = await sauda.market.candles(ITC, { from, to, interval: '5mi' });
    assert.ok(candles.length >= 11 && candles.length <= 13, `${candles.length} candles`);
    const night = { from: '00:00:00 20-11-2026', to: '05:00:00 20-11-2026', interval: '60mi' } as const;
    assert.equal((await sauda.market.candles(ITC, night)).length, 6, 'the market is always open');
    const [expiry = ''] = await sauda.market.expiries('NSE:NIFTY');
    const strikePrice = await sauda.market.ltp('NSE:NIFTY');
    const chain = await sauda.market.chain({ exchange: 'NFO', symbol: 'NIFTY', expiry, strikePrice, count: 2 });
    assert.equal(chain.length, 10);
    assert.equal((await sauda.market.info(ITC)).lotSize, '1');
    assert.ok((await sauda.market.indices()).length > 3);
    await assert.rejects(sauda.market.quote('NSE:NOPE'), InvalidRequest);
  });

  it('reads phases and greeks', async () => {
    const { exchanges } = await sauda.market.status();
    assert.deepEqual(
      exchanges.map(({ exchange, isOpen }) => [exchange, isOpen]),
      ['NSE', 'BSE', 'NFO', 'BFO'].map((exchange) => [exchange, 'true']),
    );
    const [expiry = ''] = await sauda.market.expiries('NSE:NIFTY');
    const strikePrice = await sauda.market.ltp('NSE:NIFTY');
    const near = await sauda.market.greeks({ exchange: 'NFO', symbol: 'NIFTY', expiry, strikePrice, count: 1 });
    assert.equal(near.length, 6);
    assert.ok(Number(must(near[0], 'an option').delta) > 0, 'a call');
    const all = await sauda.market.greeks({ exchange: 'NFO', symbol: 'NIFTY', expiry, count: 'ALL' });
    assert.ok(all.length > near.length);
  });

  it('keeps watchlists, alerts and GTTs', async () => {
    await sauda.watchlists.save('mine', [ITC, { exchange: 'BSE', tradingSymbol: 'ITC' }]);
    const [list] = await sauda.watchlists.list();
    assert.deepEqual(
      must(list, 'a list').instruments.map(({ exchange, tradingSymbol }) => `${exchange}:${tradingSymbol}`),
      ['NSE:ITC-EQ', 'BSE:ITC'],
    );
    await sauda.watchlists.delete('mine');
    assert.deepEqual(await sauda.watchlists.list(), []);

    const above = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', condition: 'ABOVE', price: '9999.00' } as const;
    const { alertId } = await sauda.alerts.place(above);
    await sauda.alerts.cancel(alertId);
    assert.deepEqual(
      (await sauda.alerts.list()).map(({ alertId: id, status }) => [id, status]),
      [[alertId, 'CANCELLED']],
    );

    const { exchange, tradingSymbol, ...order } = { ...BUY, priceType: 'LMT', retention: 'DAY', price: low } as const;
    const gtt = { exchange, tradingSymbol, value: low, remarks: 'cheap', OrderParams: { ...order, remarks: '' } };
    const { GTTid } = await sauda.gtt.place(gtt);
    await sauda.gtt.modify(GTTid, { ...gtt, OrderParams: { ...gtt.OrderParams, quantity: 3 } });
    assert.equal((await sauda.gtt.list()).find((row) => row.GTTid === GTTid)?.OrderParams.quantity, '3');
    await sauda.gtt.cancel(GTTid);
    assert.equal((await sauda.gtt.list()).find((row) => row.GTTid === GTTid)?.status, 'CANCELLED');
  });

  it('shares a session by its token, and ends it', async () => {
    const other = await service.login(service.users[1]);
    const { userId, token } = must(other.session, 'a session');
    const same = new Sauda({ url: service.url, userId, token });
    assert.equal((await same.user()).actid, userId);
    await other.logout();
    await assert.rejects(same.orders.list(), AuthError);
    await assert.rejects(other.orders.list(), AuthError);
    await assert.rejects(new Sauda({ url: service.url, userId }).login({ password: 'wrong' }), SaudaError);
  });
});

/** Longer than a stream needs for what has happened, on any machine. */
const PATIENCE_MS = 40_000;

describe('the stream of a started service', () => {
  it('leaves a client with the books of the service, however often it is cut', { timeout: 200_000 }, async () => {
    const own = await service.login(service.users[2]);
    const { userId, token } = must(own.session, 'a session');
    const proxy = await CuttingProxy.start(service.url);
    await using cut = new Sauda({ url: proxy.url, userId, token });
    const stream = cut.stream();
    const orders = new Map<string, unknown>();
    const trades: string[] = [];
    const positions = new Map<string, unknown>();
    let limits: unknown;
    const followed = [
      stream.orders().on(({ type, data }) => type === 'order' && orders.set(data.orderNumber, data)),
      stream.trades().on(({ type, data }) => type === 'trade' && trades.push(data.fillId)),
      stream.positions().on(({ type, data }) => type === 'position' && positions.set(data.product, data)),
      stream.limits().on(({ type, data }) => {
        if (type === 'limit') limits = data;
      }),
    ];
    await Promise.all(followed.map(({ ready }) => ready));
    const random = new Random(11);
    for (let index = 0; index < 60; index++) {
      const isResting = index % 3 === 0;
      const terms = isResting ? ({ priceType: 'LMT', price: low } as const) : ({ priceType: 'MKT' } as const);
      const { orderNumber } = await own.orders.place({ ...BUY, ...terms, product: index % 2 === 0 ? 'C' : 'I' });
      if (isResting && random.below(2) === 0) await own.orders.cancel(orderNumber);
      if (random.below(12) === 0) proxy.cut();
    }
    await own.orders.place({ ...BUY, quantity: 7 });
    // Each book comes in its own time.
    await eventually(async () => {
      const book = await own.orders.list();
      assert.deepEqual(
        book.map(({ orderNumber }) => orders.get(orderNumber)),
        book,
      );
      const wanted = (await own.trades()).map(({ fillId }) => fillId);
      assert.deepEqual(trades, wanted, 'each trade once, in its sequence');
      const shown = (row: unknown) => ({ ...(row as object), lastTradedPrice: '', totalMTM: '', totalPNL: '' });
      for (const row of await own.portfolio.positions()) {
        const { unrealizedMTOM: _unrealized, ...known } = shown(positions.get(row.product)) as typeof row;
        const { unrealizedMTOM: _other, ...there } = shown(row) as typeof row;
        assert.deepEqual(known, there);
      }
      assert.deepEqual(
        { ...(limits as object), requestTime: '' },
        { ...(await own.portfolio.limits()), requestTime: '' },
      );
    });
    await proxy.close();
  });

  it('ends the waits for an order that is cancelled', async () => {
    const { orderNumber } = await sauda.orders.place({ ...BUY, priceType: 'LMT', price: low });
    const waits = [
      sauda.orders.wait(orderNumber, { until: 'final' }),
      sauda.orders.wait(orderNumber, { until: 'final' }),
    ];
    await sleep(300);
    await sauda.orders.cancel(orderNumber);
    const outcomes = (await Promise.all(waits)).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['cancelled', 'cancelled']);
  });

  it('has ticks and the clock', async () => {
    await using stream = sauda.stream();
    const ticks = stream.ticks([ITC, 'NSE:NIFTY']);
    const names = [(await ticks.next()).value?.instrument, (await ticks.next()).value?.instrument];
    assert.deepEqual(names.sort(), ['NSE:ITC-EQ', 'NSE:NIFTY']);
    const { value } = await stream.clock().next();
    assert.ok(value?.data.exchanges.some(({ exchange, isOpen }) => exchange === 'NSE' && isOpen === 'true'));
    const candles = stream.candles([ITC], '1mi');
    assert.equal((await candles.next()).value?.interval, '1mi');
    await assert.rejects(stream.depth(['NSE:NOPE']).ready, InvalidRequest);
    await assert.rejects(
      new Sauda({ url: service.url, userId: 'SD1001', token: 'no' }).stream().orders().ready,
      AuthError,
    );
  });
});

describe('answers that are lost', () => {
  it('never make a second order, and an error says whether there may be one', { timeout: 200_000 }, async (t) => {
    const random = new Random(7_19);
    const proxy = await LossyProxy.start(service.url, random);
    const { userId, token } = must(sauda.session, 'a session');
    const lossy = new Sauda({ url: proxy.url, userId, token });
    const told = new Map<string, string | SaudaError>();
    const place = async (remarks: string): Promise<void> => {
      const order = { ...BUY, priceType: 'LMT', price: low, remarks } as const;
      const outcome = await lossy.orders.place(order).then(
        ({ orderNumber }) => orderNumber,
        (error: unknown) => error,
      );
      assert.ok(typeof outcome === 'string' || outcome instanceof SaudaError);
      told.set(remarks, outcome);
    };
    const names = Array.from({ length: 120 }, (_, index) => `lossy ${index}`);
    while (names.length > 0) await Promise.all(names.splice(0, 40).map(place));

    const before = await ordersByRemarks();
    let doubts = 0;
    for (const [remarks, outcome] of told) {
      const there = before.get(remarks) ?? [];
      if (typeof outcome === 'string') assert.deepEqual(there, [outcome], remarks);
      else if (outcome.ambiguous) assert.ok(there.length <= 1, remarks);
      else assert.deepEqual(there, [], remarks);
      if (typeof outcome === 'string') continue;
      doubts++;
      // Asked again under its key, the placement answers the order that is there, or makes it.
      const idempotencyKey = must(outcome.idempotencyKey, 'the key of a placement');
      const again = await sauda.orders.place({ ...BUY, priceType: 'LMT', price: low, remarks }, { idempotencyKey });
      assert.deepEqual((await ordersByRemarks()).get(remarks), [again.orderNumber]);
      assert.ok(there.length === 0 || there[0] === again.orderNumber);
    }
    assert.ok(doubts > 3, `${doubts} placements were in doubt`);
    t.diagnostic(`${told.size} placements, ${doubts} in doubt: ${JSON.stringify([...proxy.fates])}`);
    await proxy.close();
  });

  it('leave a cancellation in doubt, which is sent once', { timeout: 200_000 }, async () => {
    const proxy = await LossyProxy.start(service.url, new Random(3));
    const { userId, token } = must(sauda.session, 'a session');
    const lossy = new Sauda({ url: proxy.url, userId, token });
    for (let index = 0; index < 40; index++) {
      const { orderNumber } = await sauda.orders.place({ ...BUY, priceType: 'LMT', price: low });
      const requests = [...proxy.fates.values()].reduce((sum, count) => sum + count, 0);
      const outcome = await lossy.orders.cancel(orderNumber).then(
        (result) => result.outcome,
        (error: unknown) => error,
      );
      assert.equal(
        [...proxy.fates.values()].reduce((sum, count) => sum + count, 0),
        requests + 1,
      );
      if (outcome === 'taken') assert.equal((await sauda.orders.get(orderNumber)).status, 'CANCELED');
      else assert.ok(outcome instanceof SaudaError && outcome.ambiguous, String(outcome));
    }
    await proxy.close();
  });
});

/** Waits until a check passes; fails as it does last. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

async function ordersByRemarks(): Promise<Map<string, string[]>> {
  const byRemarks = new Map<string, string[]>();
  for (const { remarks, orderNumber } of await sauda.orders.list()) {
    byRemarks.set(remarks, [...(byRemarks.get(remarks) ?? []), orderNumber]);
  }
  return byRemarks;
}

describe('a service for a test', () => {
  it('says why it did not start', async () => {
    await assert.rejects(startSauda({ command: [process.execPath, '-e', 'process.exit(3)'] }), /ended with 3/);
    await assert.rejects(startSauda({ command: '/no/such/command' }), /could not run/);
    await assert.rejects(startSauda({ command: COMMAND, seed: -1 }), /SAUDA_SEED is "-1"/);
    await assert.rejects(startSauda({ command: COMMAND, settings: { SAUDA_LOG: 'x' } }), /SAUDA_LOG is "x"/);
    const sleeper = [process.execPath, '-e', 'setTimeout(() => {}, 60_000)'];
    await assert.rejects(startSauda({ command: sleeper, timeoutMs: 200 }), /not ready in time/);
  });
});
