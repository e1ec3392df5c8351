/**
 * The operation `/getQueuePlaces`: the units that stand in front of each resting order of an account. The channel
 * `queue` of the stream has the same rows.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { QueuePlaces } from '../../../core/exchange/book/queue-place.ts';
import type { Order } from '../../../core/order.ts';
import type { State } from '../../../core/state.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { listOf } from '../../fields/answers.ts';
import { exchange, optional, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import type { Picked } from '../../fields/request.ts';
import { listAnswer } from '../../long-answer.ts';
import { type Caller, operation, success } from '../../operation.ts';
import { type MeantPlace, meantPlace } from './meant-place.ts';
import { OpenOrders, readOpenOrders } from './open-orders.ts';
import { isInQueue, QUEUE_ROW, queueText } from './queue-rows.ts';

const request = Type.Object({
  ...SIGNED_IN,
  exchange: optional(exchange()),
  tradingSymbol: optional(tradingSymbol({ description: 'of the exchange, which is needed then' })),
});

const answer = success('Queue places', listOf(QUEUE_ROW));

/** An operation of our own. Source: docs/rules/wire-own.md. */
export const getQueuePlaces = operation({
  path: '/getQueuePlaces',
  summary: 'The units in front of each resting order',
  request,
  needs: ({ tradingSymbol }: Picked) => (tradingSymbol === undefined ? [] : ['exchange']),
  rate: 'other',
  answer,
  handle: (deps, fields: Static<typeof request>, caller): Answer | Promise<Answer> => {
    const meant = meantPlace(deps, fields);
    return 'status' in meant ? meant : placesIn(deps, caller, meant);
  },
});

async function placesIn(deps: GatewayParts, caller: Caller, { has }: MeantPlace): Promise<Answer> {
  const places = new PlacesOfMoment();
  const open = new OpenOrders(caller.account);
  await readOpenOrders(deps, open);
  return listAnswer(deps, caller, {
    answer,
    rowsAtATime: 50,
    rowBytes: 512,
    sources: (state) => open.all(state).filter((order) => has(order) && isInQueue(state, order)),
    row: (order, state) => {
      if (!isInQueue(state, order)) return '';
      const instrument = must(deps.instruments.get(order.instrument), 'an order is in a listed instrument');
      return queueText(instrument, order, places.of(state, order));
    },
  });
}

/** The places in each book, which the orders of one moment share. */
class PlacesOfMoment {
  private seq = -1;
  private readonly books = new Map<Order['instrument'], QueuePlaces>();

  of(state: State, { instrument }: Pick<Order, 'instrument'>): QueuePlaces {
    if (state.seq !== this.seq) this.books.clear();
    this.seq = state.seq;
    const known = this.books.get(instrument);
    if (known !== undefined) return known;
    const places = new QueuePlaces(must(state.books.get(instrument), 'an order in a queue has a book'));
    this.books.set(instrument, places);
    return places;
  }
}
