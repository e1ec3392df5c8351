import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { generateSync } from 'otplib';
import type { StartedService } from './started-service.ts';

/** A client of the service, signed in as the first demo user. */
export interface Client {
  readonly userId: string;
  /** Places a purchase of one share 3 % below the market and gives its row of the order book. */
  readonly order: () => Promise<Record<string, string>>;
  /** Sends an operation and gives the whole answer. */
  readonly call: (path: string, body?: object) => ReturnType<StartedService['call']>;
  readonly rows: () => Promise<readonly Record<string, string>[]>;
}

/** Signs the first demo user in. */
export async function clientOf(service: StartedService): Promise<Client> {
  const [user] = service.demoUsers();
  const { userId, password, totpSecret, vendorCode, apiKey } = user ?? assert.fail('there is a demo user');
  const digest = createHash('sha256').update(password).digest('hex');
  const TOTP = totpSecret === undefined ? '' : generateSync({ secret: totpSecret });
  const { body } = await service.call('login', { userId, password: digest, TOTP, vendorCode, apiKey });
  const who = { userId, jKey: (body.data as Record<string, string>).susertoken ?? '' };
  const rows = async () => (await service.call('orderBook', who)).body.data as Record<string, string>[];
  const order = async () => {
    const share = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
    const quote = (await service.call('getQuote', { ...who, ...share })).body.data as Record<string, string>;
    const price = (Math.round(Number(quote.lastTradedPrice) * 9.7) / 10).toFixed(1);
    const terms = { quantity: '1', price, product: 'I', transactionType: 'B', priceType: 'LMT', retention: 'DAY' };
    const placed = await service.call('placeOrder', { ...who, ...share, ...terms, remarks: '' });
    const { orderNumber } = placed.body.data as Record<string, string>;
    return (await rows()).find((row) => row.orderNumber === orderNumber) ?? assert.fail(JSON.stringify(placed.body));
  };
  const call = (path: string, body: object = {}) => service.call(path, { ...who, ...body });
  return { userId, order, call, rows };
}
