/**
 * The operation `/getInstrument`: an instrument and how the caller may trade it now. The products, price types and
 * retentions are those that admission takes; `orderChoices` asks its checks.
 */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { EXCHANGES } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Account } from '../../../core/account.ts';
import { type OrderChoices, orderChoices } from '../../../core/broker/trials/order-choices.ts';
import { type Instrument, isDerivative, marginGroup } from '../../../core/instrument.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import { accountOf } from '../../../core/state.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps } from '../../deps.ts';
import {
  anyText,
  listOf,
  plain,
  priceTypeWord,
  productWord,
  retentionWord,
  rupeesOrBlank,
} from '../../fields/answers.ts';
import { derivativesOf } from '../../fields/names.ts';
import { TERMS_WORDS } from '../../fields/order-terms.ts';
import { findInstrument } from '../../fields/symbols.ts';
import { formatDay, formatExpiry } from '../../fields/times.ts';
import { operation, success } from '../../operation.ts';
import { largestOrder } from './largest-order.ts';
import { QUOTE_REQUEST } from './quote-request.ts';
import { INFO, infoOf } from './security-info.ts';

const exchangeOrBlank = plain(`^(${EXCHANGES.join('|')})?$`);

/** The choices of an order. */
const CHOICES = Type.Object({
  products: listOf(productWord),
  priceTypes: listOf(priceTypeWord),
  retentions: listOf(retentionWord),
  upperCircuit: rupeesOrBlank,
  lowerCircuit: rupeesOrBlank,
  orders: plain('^(EXCHANGE|WAIT|REFUSED)$', 'where an order goes that comes now'),
  waitsFor: plain('^([0-9]{2}-[0-9]{2}-[0-9]{4})?$', 'DD-MM-YYYY; blank unless an order waits'),
  reason: anyText('why no order is taken; blank when one is'),
});

/** The contract, and the underlying with which its options are asked for. */
const CONTRACT = Type.Object({
  expiry: plain('^([0-9]{2}[A-Z]{3}[0-9]{4})?$', 'DDMONYYYY; blank for none'),
  strikePrice: rupeesOrBlank,
  optionType: plain('^(CE|PE)?$'),
  underlying: anyText('the `symbol` of optionChain; blank without contracts'),
  underlyingExchange: exchangeOrBlank,
  underlyingSymbol: anyText(),
  contractExchange: exchangeOrBlank,
});

const answer = success(
  'Instrument retrieved successfully',
  Type.Object({ ...INFO, ...CHOICES.properties, ...CONTRACT.properties }),
);

/** An operation of our own. Source: market-rules R3.3, R2.5, R1.41. */
export const getInstrument = operation({
  path: '/getInstrument',
  summary: 'An instrument, and how it may be traded now',
  request: QUOTE_REQUEST,
  rate: 'other',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const at = deps.engine.now();
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, at);
    if ('status' in named) return named;
    const { instrument } = named;
    return deps.engine.read((state, _views, ports) => {
      const account = accountOf(state, caller.account);
      const largest = largestOrder(deps, state, ports, account, instrument, at);
      const choices = orderChoices(state, ports, account.id, instrument, TERMS_WORDS);
      return answer.write({
        ...infoOf(deps, named, largest),
        ...choiceFields(choices, account, instrument),
        ...contractFields(deps, instrument, at),
      });
    });
  },
});

function choiceFields(
  { products, terms, band, waitsFor, refusal }: OrderChoices,
  { userId }: Account,
  { kind }: Instrument,
): Static<typeof CHOICES> {
  const taken = waitsFor === undefined ? 'EXCHANGE' : 'WAIT';
  return {
    products: [...products],
    priceTypes: [...new Set(terms.map(({ priceType }) => priceType))],
    retentions: [...new Set(terms.map(({ retention }) => retention))],
    upperCircuit: band === undefined ? '' : formatRupees(band.upper),
    lowerCircuit: band === undefined ? '' : formatRupees(band.lower),
    orders: refusal === undefined ? taken : 'REFUSED',
    waitsFor: waitsFor === undefined ? '' : formatDay(waitsFor),
    reason: refusal === undefined ? '' : refusalText(refusal, { userId, kind }),
  };
}

function contractFields({ instruments }: GatewayDeps, instrument: Instrument, at: EpochMs): Static<typeof CONTRACT> {
  const hasContracts = isDerivative(instrument) || instruments.expiries(instrument.id, at).length > 0;
  const underlying = hasContracts ? instruments.get(marginGroup(instrument)) : undefined;
  return {
    expiry: isDerivative(instrument) ? formatExpiry(instrument.expiryDay) : '',
    strikePrice: instrument.kind === 'option' ? formatRupees(instrument.strike) : '',
    optionType: instrument.kind === 'option' ? instrument.optionType : '',
    underlying: underlying?.symbol ?? '',
    underlyingExchange: underlying?.exchange ?? '',
    underlyingSymbol: underlying?.tradingSymbol ?? '',
    contractExchange: underlying === undefined ? '' : derivativesOf(underlying.exchange),
  };
}
