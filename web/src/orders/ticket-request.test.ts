import { deepEqual, equal } from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { closeTicket, handedPrice, openTicket, pickPrice, ticketRequest } from './ticket-request.ts';

const ITC = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' } as const;
const TCS = { exchange: 'NSE', tradingSymbol: 'TCS-EQ' } as const;

beforeEach(() => closeTicket());

test('a price is handed to the open ticket of its instrument, which stays the same ticket', () => {
  const open = { kind: 'new', instrument: ITC, side: 'B', quantity: '50' } as const;
  openTicket(open);
  pickPrice(ITC, 'S', '405.00');
  equal(ticketRequest.value, open);
  deepEqual(handedPrice.value, { price: '405.00' });
  const first = handedPrice.value;
  pickPrice(ITC, 'S', '405.00');
  equal(handedPrice.value === first, false, 'the same price is handed once more');
});

test('a price of another instrument opens a ticket, and no ticket gets the price of one before it', () => {
  pickPrice(ITC, 'S', '405.00');
  deepEqual(ticketRequest.value, { kind: 'new', instrument: ITC, side: 'S', price: '405.00' });
  pickPrice(ITC, 'S', '406.00');
  pickPrice(TCS, 'B', '3000.00');
  deepEqual(ticketRequest.value, { kind: 'new', instrument: TCS, side: 'B', price: '3000.00' });
  equal(handedPrice.value, undefined);
  pickPrice(TCS, 'B', '3001.00');
  closeTicket();
  equal(handedPrice.value, undefined);
});
