import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { generateSync } from 'otplib';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();

after(async () => {
  await folder.remove();
});

type Row = Readonly<Record<string, string>>;

/**
 * The trades of the first demo user in RELIANCE: he trades at the market, or places a stop to buy at a trigger below
 * it.
 */
interface Trader {
  readonly trade: (side: 'B' | 'S', units: number) => Promise<Row>;
  readonly stop: () => Promise<Row>;
  readonly fills: () => Promise<readonly Row[]>;
  readonly position: () => Promise<Row>;
}

const SHARE = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };

async function traderOf(service: StartedService): Promise<Trader> {
  const [user] = service.demoUsers();
  const { userId, password, totpSecret, vendorCode, apiKey } = user ?? assert.fail('there is a demo user');
  const digest = createHash('sha256').update(password).digest('hex');
  const TOTP = totpSecret === undefined ? '' : generateSync({ secret: totpSecret });
  const { body } = await service.call('login', { userId, password: digest, TOTP, vendorCode, apiKey });
  const who = { userId, jKey: (body.data as Row).susertoken ?? '' };
  const ask = async (path: string, more: object = {}) => (await service.call(path, { ...who, ...more })).body.data;
  const place = async (terms: object) => {
    const order = { ...SHARE, quantity: '1', product: 'I', retention: 'DAY', remarks: '', ...terms };
    const { orderNumber } = (await ask('placeOrder', order)) as Row;
    const rows = (await ask('orderBook')) as readonly Row[];
    return rows.find((row) => row.orderNumber === orderNumber) ?? assert.fail('the order is in the book');
  };
  return {
    trade: (side, units) =>
      place({ transactionType: side, priceType: 'MKT', retention: 'IOC', price: '0', quantity: String(units) }),
    fills: async () => (await ask('tradeBook')) as readonly Row[],
    stop: async () => {
      const { lastTradedPrice } = (await ask('getQuote', SHARE)) as Row;
      const below = (percent: number) => (Math.round(Number(lastTradedPrice) * (10 - percent / 10)) / 10).toFixed(1);
      return place({ transactionType: 'B', priceType: 'SL-LMT', triggerPrice: below(4), price: below(3) });
    },
    position: async () => ((await ask('positionBook')) as readonly Row[])[0] ?? assert.fail('there is a position'),
  };
}

/** Sum of quantity times price over the fills, in paise, and the units. */
function sumOf(fills: readonly Row[]): { readonly amount: number; readonly units: number } {
  let [amount, units] = [0, 0];
  for (const { fillPrice, fillQuantity } of fills) {
    amount += Math.round(Number(fillPrice) * 100) * Number(fillQuantity);
    units += Number(fillQuantity);
  }
  return { amount, units };
}

function averageOf(fills: readonly Row[]): string {
  const { amount, units } = sumOf(fills);
  return (Math.round(amount / units) / 100).toFixed(2);
}

test('the models of positions and of triggers are those of each start, also of one from a snapshot', async () => {
  const data = folder.path;
  let service = await StartedService.start(data);
  let trader = await traderOf(service);
  assert.equal((await trader.stop()).rejectReason, '16423:Invalid trigger price.');
  await trader.trade('B', 1);
  await trader.trade('S', 1);
  await trader.trade('B', 300);
  const fills = await trader.fills();
  const [first, sale, ...last] = fills as readonly [Row, Row, ...Row[]];
  const { netAveragePrice } = await trader.position();
  assert.equal(netAveragePrice, averageOf([first, ...last]));
  assert.equal(await service.end('SIGTERM'), 0);

  service = await StartedService.start(data, { SAUDA_AVG_MODEL: 'running', SAUDA_STRICT_TRIGGER: 'off' });
  trader = await traderOf(service);
  const running = await trader.position();
  assert.equal(running.netAveragePrice, averageOf(last));
  const realised = sumOf([sale]).amount - sumOf([first]).amount;
  assert.equal(running.RealizedPNL, (realised / 100).toFixed(2));
  assert.equal((await trader.stop()).status, 'OPEN');
  assert.equal(await service.end('SIGTERM'), 0);
  assert.equal((await sauda(['verify', '--data', data])).code, 0);
});
