/**
 * Example bodies of requests, made from the schemas of the operations: for the reference, the collections and
 * `/llms.txt`. A test sends each of them to the gateway, which must read all of its fields.
 */

import { IsArray, IsObject, IsOptional, type TSchema } from 'typebox';
import type { Operation } from '../operation.ts';

type Example = string | readonly Example[] | { readonly [name: string]: Example };

/** The values of fields by their names: a delivery buy of one share, below the market. */
const BY_NAME: Readonly<Record<string, string>> = {
  userId: '{{userId}}',
  jKey: '{{jKey}}',
  password: '{{passwordSha256}}',
  TOTP: '{{totp}}',
  vendorCode: '{{vendorCode}}',
  apiKey: '{{apiKey}}',
  stext: 'ITC',
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  symbol: 'NIFTY',
  expiry: '29DEC26',
  count: '5',
  strikePrice: '24000',
  startTime: '09:15:00 20-11-2026',
  endTime: '15:30:00 20-11-2026',
  interval: '5mi',
  retention: 'DAY',
  product: 'C',
  Product: 'C',
  previousProduct: 'I',
  priceType: 'LMT',
  transactionType: 'B',
  price: '300.00',
  triggerPrice: '0',
  quantity: '1',
  remarks: 'first try',
  orderNumber: '2611200000000001',
  idempotencyKey: 'first-try',
  GTTid: '2611200000000001',
  alertId: '1',
  name: 'My list',
  condition: 'ABOVE',
  validity: 'GTT',
  value: '300.00',
};

/** The body of an example request: its required fields, and the others that the table has a value for. */
export function exampleBody(operation: Operation): Readonly<Record<string, Example>> {
  return exampleObject(operation.request.properties);
}

function exampleObject(properties: Readonly<Record<string, TSchema>>): Record<string, Example> {
  const shown = Object.entries(properties).filter(([name, schema]) => !IsOptional(schema) || name in BY_NAME);
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleValue(name, schema)]));
}

function exampleValue(name: string, schema: TSchema): Example {
  if (IsArray(schema)) return [exampleValue(name, schema.items)];
  if (IsObject(schema)) return exampleObject(schema.properties);
  const words: unknown = 'enum' in schema ? schema.enum : undefined;
  const known = BY_NAME[name];
  if (!Array.isArray(words)) return known ?? '1';
  return known !== undefined && words.includes(known) ? known : String(words[0]);
}
