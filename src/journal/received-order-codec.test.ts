import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { must } from '../base/assert.ts';
import type { PlaceOrder } from '../core/command.ts';
import type { Event, OrderReceived } from '../core/event.ts';
import type { OrderTerms } from '../core/order.ts';
import { type StoredEvents, withoutRepeats, withRepeats } from './received-order-codec.ts';

const terms = fc.record({
  priceType: fc.constantFrom('LMT', 'MKT', 'SL-LMT', 'SL-MKT'),
  retention: fc.constantFrom('DAY', 'IOC'),
  quantity: fc.nat(),
  price: fc.nat(),
  trigger: fc.nat(),
}) as fc.Arbitrary<OrderTerms>;

const marks = fc.record(
  {
    gross: fc.constant(true as const),
    squareOff: fc.constant(true as const),
    idempotency: fc.record({ key: fc.string(), bodyDigest: fc.string() }),
  },
  { requiredKeys: [] },
);

const placed = fc.record({
  account: fc.nat(),
  instrument: fc.nat(),
  side: fc.constantFrom('B', 'S'),
  product: fc.constantFrom('C', 'M', 'I'),
  terms,
  remarks: fc.string(),
});

/** A placement with its receipt, which repeats it but for `other`. */
const receipts = fc.record({ placed, marks, other: fc.option(fc.record({ terms }), { nil: {} }) }).map((drawn) => {
  const { account, instrument, side, product, terms, remarks } = { ...drawn.placed, ...drawn.other };
  const names = { account, instrument, kind: 'equity', group: instrument, isin: 'INE669E01016' };
  const received = { type: 'OrderReceived', order: 26112000000001, ...names, side, product, terms, remarks };
  const rested = { type: 'OrderRested', order: 26112000000001, ahead: 7 } as Event;
  return {
    command: { type: 'PlaceOrder', ...drawn.placed } as unknown as PlaceOrder,
    events: [{ ...received, ...drawn.marks } as unknown as OrderReceived, rested],
    repeats: JSON.stringify(terms) === JSON.stringify(drawn.placed.terms),
  };
});

describe('the receipt of an order', () => {
  it('comes back from its stored form to the byte as it was', () => {
    fc.assert(
      fc.property(receipts, ({ command, events }) => {
        const said = JSON.parse(JSON.stringify(withoutRepeats(command, events)));
        assert.equal(JSON.stringify(withRepeats(command, said)), JSON.stringify(events));
      }),
    );
  });

  it('leaves out the fields of its placement', () => {
    fc.assert(
      fc.property(receipts, ({ command, events, repeats }) => {
        const [said] = JSON.parse(JSON.stringify(withoutRepeats(command, events)));
        for (const field of ['account', 'instrument', 'side', 'product', 'terms', 'remarks']) {
          assert.equal(field in said, !repeats, field);
        }
      }),
    );
  });

  it('is left alone in a record of another command', () => {
    fc.assert(
      fc.property(receipts, ({ events }) => {
        const command = { type: 'CheckLosses' } as const;
        assert.equal(withoutRepeats(command, events), events);
        const [first, ...others] = events;
        const said: StoredEvents = [must(first, 'a receipt'), ...others];
        assert.equal(withRepeats(command, said), said);
      }),
    );
  });

  it('is undefined without its placement', () => {
    fc.assert(
      fc.property(receipts, ({ command, events, repeats }) => {
        const said = JSON.parse(JSON.stringify(withoutRepeats(command, events)));
        if (repeats) assert.equal(withRepeats({ type: 'CheckLosses' }, said), undefined);
      }),
    );
  });
});
