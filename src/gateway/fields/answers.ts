/**
 * The shapes of the values in answers. Each says how its text looks, so that the published document and the contract
 * tests hold every field to it.
 */

import Type, { type TSchema, type TString } from 'typebox';
import { FIGURE, PLAIN } from './writer.ts';

/** Text of the service's own making that never needs escaping. */
export function plain(pattern?: string, description?: string): TString {
  return Type.String({
    [PLAIN]: true,
    ...(pattern === undefined ? {} : { pattern }),
    ...(description === undefined ? {} : { description }),
  });
}

/** As a plain text, written from a number. */
function figure(kind: 'rupees' | 'integer', text: TString) {
  return Type.Unsafe<number>(Type.String({ ...text, [FIGURE]: kind }));
}

/** Any text: names, symbols, remarks. */
export function anyText(description?: string): TString {
  return Type.String(description === undefined ? {} : { description });
}

/** Rupees with two decimals. Source: market-rules R0.2. */
export const rupees = plain('^-?[0-9]+\\.[0-9]{2}$');
/** An integer without leading zeros or spaces. Source: contract R17. */
export const integer = plain('^(0|-?[1-9][0-9]*)$');
/** As `rupees`, written from paise. */
export const rupeesFigure = figure('rupees', rupees);
/** As `integer`, written from a whole number. */
export const integerFigure = figure('integer', integer);
/** An integer, or blank for none. */
export const integerOrBlank = plain('^(0|-?[1-9][0-9]*)?$');
/** Rupees, or blank for none. */
export const rupeesOrBlank = plain('^(-?[0-9]+\\.[0-9]{2})?$');
/** `HH:MM:SS DD-MM-YYYY`. */
export const t1 = plain('^[0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{2}-[0-9]{2}-[0-9]{4}$', 'T1, IST');
/** T1, or blank where the words say so. */
export function t1OrBlankFor(blank: string): TString {
  return plain('^([0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{2}-[0-9]{2}-[0-9]{4})?$', `T1, IST; ${blank}`);
}
/** T1, or blank for none. */
export const t1OrBlank = t1OrBlankFor('blank for none');
/** `DD-MM-YYYY HH:MM:SS`. */
export const t2 = plain('^[0-9]{2}-[0-9]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$', 'T2, IST');
/** `DD-Mon-YYYY HH:MM:SS`. */
export const t3 = plain('^[0-9]{2}-[A-Z][a-z]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$', 'T3, IST');
export const exchangeWord = plain('^(NSE|BSE|NFO|BFO)$');
export const sideWord = plain('^[BS]$');
export const productWord = plain('^[CMI]$');
export const priceTypeWord = plain('^(MKT|LMT|SL-LMT|SL-MKT)$');
export const retentionWord = plain('^(DAY|IOC)$');
/** Source: contract W7. */
export const statusWord = plain(
  '^(PENDING|AMO OPEN|AMO MODIFIED|AMO CANCELED|OPEN|TRIGGER_PENDING|COMPLETE|CANCELED|REJECTED)$',
);
const NUMBER_WORDS = '`YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard';
/** Source: market-rules R0.8. */
export const orderNumberText = plain('^([0-9]{14}|[0-9]{16})$', NUMBER_WORDS);
export const gttIdText = plain('^([0-9]{14}|[0-9]{16})$', NUMBER_WORDS);

/** The number of an order, or blank. `words`: when it is blank. */
export function orderNumberOrBlank(words?: string) {
  return plain('^([0-9]{14}|[0-9]{16})?$', words);
}
/** Source: market-rules R1.53. */
export const pricePrecision = plain('^2$');

export function listOf<T extends TSchema>(items: T) {
  return Type.Array(items);
}
