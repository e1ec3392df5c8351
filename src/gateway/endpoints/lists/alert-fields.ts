/**
 * An alert in the words of the wire: its id in requests, and its row in answers, which the stream sends too.
 */

import Type, { type Static, type TString } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import type { Instrument, InstrumentDirectory } from '../../../core/instrument.ts';
import type { Alert } from '../../../core/lists/alert.ts';
import {
  anyText,
  exchangeWord,
  integer,
  plain,
  rupees,
  rupeesOrBlank,
  t1,
  t1OrBlankFor,
} from '../../fields/answers.ts';
import { givenNumber } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { WAY_WORDS, wayWord } from '../../fields/trigger-ways.ts';
import { compileWriter } from '../../fields/writer.ts';

/** The id of an alert in a request. */
export function alertId(): TString {
  return givenNumber('alert not found');
}

/** An alert as `getAlerts` shows it. */
export const ALERT_ROW = Type.Object({
  alertId: integer,
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  token: integer,
  condition: wayWord('at the price or above it, at the price or below it'),
  price: rupees,
  remarks: anyText(),
  status: plain('^(ACTIVE|FIRED|CANCELLED|EXPIRED)$'),
  createdAt: t1,
  firedAt: t1OrBlankFor('blank unless it fired'),
  firedPrice: rupeesOrBlank,
});
const writeRow = compileWriter(ALERT_ROW);

const STATUSES = { Fired: 'FIRED', Cancelled: 'CANCELLED', Expired: 'EXPIRED' } as const;

/** The row of an alert, as JSON; blank for one that ended so long ago that its contract is forgotten. */
export function alertText(instruments: InstrumentDirectory, alert: Alert): string {
  const instrument = instruments.get(alert.instrument);
  return instrument === undefined ? '' : writeRow(rowOf(instrument, alert));
}

function rowOf({ exchange, tradingSymbol, token }: Instrument, alert: Alert): Static<typeof ALERT_ROW> {
  const { number, way, price, remarks, placedAt, end } = alert;
  const firedPrice = end?.price;
  return {
    alertId: String(number),
    exchange,
    tradingSymbol,
    token: String(token),
    condition: WAY_WORDS[way],
    price: formatRupees(price),
    remarks,
    status: end === undefined ? 'ACTIVE' : STATUSES[end.how],
    createdAt: formatT1(placedAt),
    firedAt: end === undefined || firedPrice === undefined ? '' : formatT1(end.at),
    firedPrice: firedPrice === undefined ? '' : formatRupees(firedPrice),
  };
}
