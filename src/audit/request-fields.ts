/**
 * The fields of request bodies that the audit trail may note. Everything else is left out, because it may be a secret.
 * The fields of commands are in `command-fields.ts`.
 */

import { asciiJson } from './trail-line.ts';

const CODE = /^[A-Z-]{1,6}$/;
const SYMBOL = /^[A-Z0-9&_-]{1,30}$/;
const TAG = /^[A-Za-z0-9._:-]{1,32}$/;
const NUMBER = /^-?\d{1,15}(\.\d{1,4})?$/;
const ORDER_NUMBER = /^\d{1,16}$/;
/**
 * The fields of a client's body that are noted, with the form of each. Other texts are left out: they may be a password
 * or a token in the wrong place.
 */
const ORDER_FIELDS: readonly (readonly [name: string, looks: RegExp])[] = [
  ['exchange', CODE],
  ['tradingSymbol', SYMBOL],
  ['transactionType', CODE],
  ['quantity', NUMBER],
  ['price', NUMBER],
  ['priceType', CODE],
  ['product', CODE],
  ['retention', CODE],
  ['triggerPrice', NUMBER],
  ['orderNumber', ORDER_NUMBER],
  ['strategyId', TAG],
  ['deviceId', TAG],
];
/** The fields of operators' bodies that are noted. Names, e-mail addresses and the like are left out. */
const ACT_FIELDS = [
  'by',
  'why',
  'userId',
  'exchange',
  'symbol',
  'rupees',
  'quantity',
  'price',
  'opening',
  'kind',
  'on',
  'banned',
  'percent',
  'exDate',
  'ratio',
  'date',
  'addresses',
  'perSecond',
  'algoId',
  'group',
  'orderValueCap',
  'products',
  'exchanges',
  'effect',
  'value',
  'user',
  'operation',
  'instrument',
  'count',
  'id',
] as const;
/** The form of a user id: shorter than a token, which somebody may have put in its place. */
const USER_ID = /^[A-Z][A-Z0-9]{0,15}$/;
const LONGEST_ACT_TEXT = 200;

/** The noted fields of a client's body, as a piece of a line; empty when it has none. */
export function orderFields(body: Readonly<Record<string, unknown>>): string {
  const found: Record<string, string> = {};
  for (const [name, looks] of ORDER_FIELDS) {
    const value = body[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && looks.test(text)) found[name] = text;
  }
  return Object.keys(found).length === 0 ? '' : `,"what":${asciiJson(found)}`;
}

/** The noted fields of an operator's body, as a piece of a line. */
export function actFields(fields: Readonly<Record<string, unknown>>): string {
  const found: Record<string, unknown> = {};
  for (const name of ACT_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string') found[name] = value.slice(0, LONGEST_ACT_TEXT);
    else if (typeof value === 'number' || typeof value === 'boolean') found[name] = value;
    else if (Array.isArray(value)) found[name] = value.slice(0, 4).map((item) => String(item).slice(0, 64));
  }
  const { userId, ...what } = found;
  const user = typeof userId === 'string' && USER_ID.test(userId) ? `,"user":${asciiJson(userId)}` : '';
  return Object.keys(what).length === 0 ? user : `${user},"what":${asciiJson(what)}`;
}
