/** A GTT as clients see it: a row of the GTT book, which the stream sends too. */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { instantOf } from '../../../base/tick.ts';
import { DAY_MS, istInstant, SECOND_MS } from '../../../base/time.ts';
import type { Gtt, GttEnd, GttLeg, GttStatus } from '../../../core/broker/gtt/gtt.ts';
import type { Instrument, Instruments } from '../../../core/instrument.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import { lastDayOf } from '../../../core/standing/standing-ends.ts';
import {
  anyText,
  exchangeWord,
  gttIdText,
  integer,
  orderNumberOrBlank,
  plain,
  priceTypeWord,
  productWord,
  retentionWord,
  rupees,
  rupeesOrBlank,
  sideWord,
  t1,
  t1OrBlank,
} from '../../fields/answers.ts';
import { formatT1 } from '../../fields/times.ts';
import { WAY_WORDS, wayWord } from '../../fields/trigger-ways.ts';
import { compileWriter } from '../../fields/writer.ts';

const legOrBlank = plain('^[12]?$', 'the leg that fired, or blank');

const ORDER = Type.Object({
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  transactionType: sideWord,
  product: productWord,
  priceType: priceTypeWord,
  retention: retentionWord,
  quantity: integer,
  price: rupees,
  triggerPrice: rupees,
  remarks: anyText(),
});

const way = wayWord('whether the price must rise or fall to the trigger');

export const GTT_ROW = Type.Object({
  GTTid: gttIdText,
  status: plain('^(ACTIVE|TRIGGERED|FIRED|REJECTED|CANCELLED|EXPIRED)$'),
  reason: anyText('why its order was refused, or why it ended without one; else blank'),
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  token: integer,
  validity: plain('^GTT$'),
  legs: plain('^[12]$'),
  value: rupees,
  condition: way,
  value2: Type.Optional(rupees),
  condition2: Type.Optional(way),
  remarks: anyText(),
  createdAt: t1,
  updatedAt: t1,
  validTill: t1,
  firedLeg: legOrBlank,
  firedPrice: rupeesOrBlank,
  firedAt: t1OrBlank,
  orderNumber: orderNumberOrBlank(),
  OrderParams: ORDER,
  OrderParams2: Type.Optional(ORDER),
});

const writeRow = compileWriter(GTT_ROW);

/** The row of a GTT as JSON; blank for one that ended so long ago that its contract is forgotten. */
export function gttText(instruments: Instruments, gtt: Readonly<Gtt>, userId: string): string {
  const instrument = instruments.get(gtt.instrument);
  return instrument === undefined ? '' : writeRow(rowOf(gtt, instrument, userId));
}

const STATUSES: Readonly<Record<GttStatus, string>> = {
  Active: 'ACTIVE',
  Triggered: 'TRIGGERED',
  Fired: 'FIRED',
  Refused: 'REJECTED',
  Cancelled: 'CANCELLED',
  Expired: 'EXPIRED',
};

const ENDS: Readonly<Record<GttEnd, string>> = {
  Client: 'Cancelled by the client',
  YearOver: 'Expired after a year',
  InstrumentEnded: 'Cancelled by the service: the instrument is no longer traded',
  CorporateAction: 'Cancelled by the service: a corporate action changed the terms of the instrument',
};

function rowOf(gtt: Readonly<Gtt>, instrument: Instrument, userId: string): Static<typeof GTT_ROW> {
  const { legs, firing } = gtt;
  const [one, two] = legs;
  const { exchange, tradingSymbol, token } = instrument;
  return {
    GTTid: String(gtt.number),
    status: STATUSES[gtt.status],
    reason: reasonOf(gtt, instrument, userId),
    exchange,
    tradingSymbol,
    token: String(token),
    validity: 'GTT',
    legs: String(legs.length),
    value: formatRupees(one.trigger),
    condition: WAY_WORDS[one.way],
    ...(two === undefined ? {} : { value2: formatRupees(two.trigger), condition2: WAY_WORDS[two.way] }),
    remarks: gtt.remarks,
    createdAt: formatT1(gtt.placedAt),
    updatedAt: formatT1(gtt.updatedAt),
    validTill: formatT1(lastInstantOf(gtt)),
    firedLeg: firing === undefined ? '' : String(firing.leg + 1),
    firedPrice: firing === undefined ? '' : formatRupees(firing.price),
    firedAt: firing === undefined ? '' : formatT1(instantOf(firing.tick)),
    orderNumber: firing === undefined || firing.order === 0 ? '' : String(firing.order),
    OrderParams: orderOf(one, instrument),
    ...(two === undefined ? {} : { OrderParams2: orderOf(two, instrument) }),
  };
}

/** The last second of its last day. */
function lastInstantOf(gtt: Readonly<Gtt>): ReturnType<typeof istInstant> {
  return istInstant(lastDayOf(gtt), DAY_MS - SECOND_MS);
}

function reasonOf({ end, firing }: Readonly<Gtt>, { kind }: Instrument, userId: string): string {
  if (end !== undefined) return ENDS[end];
  return firing?.refusal === undefined ? '' : refusalText(firing.refusal, { userId, kind });
}

function orderOf({ side, product, terms, remarks }: GttLeg, instrument: Instrument): Static<typeof ORDER> {
  return {
    exchange: instrument.exchange,
    tradingSymbol: instrument.tradingSymbol,
    transactionType: side,
    product,
    priceType: terms.priceType,
    retention: terms.retention,
    quantity: String(terms.quantity),
    price: formatRupees(terms.price),
    triggerPrice: formatRupees(terms.trigger),
    remarks,
  };
}
