import type { OrderNumber } from '../../../src/base/ids.ts';
import type { WhyReport } from '../../../src/engine/why/why-report.ts';
import type { OrderReplay } from '../../../src/gateway/why-questions.ts';

/** A report as the journal gives it, of any order. */
function fakeReport(order: OrderNumber): WhyReport {
  const terms = { priceType: 'LMT', retention: 'DAY', quantity: '10', price: '7.00' };
  const lot = { check: 'the quantity is whole lots', rule: 'R1.22', outcome: 'passed', figures: { lot: '1' } } as const;
  const band = {
    check: 'price is inside the band',
    rule: 'R1.41',
    outcome: 'refused',
    figures: { upper: '8.52' },
  } as const;
  const placed = { step: 'placement', at: '2026-11-20 11:00:00', record: 12, terms, checks: [lot] } as const;
  const stop = { ...terms, trigger: '6.95' };
  const changed = { step: 'modification', at: '2026-11-20 11:00:05', record: 14, terms: stop } as const;
  return {
    order,
    userId: 'AB1234',
    exchange: 'NSE',
    tradingSymbol: 'IDEA-EQ',
    transactionType: 'B',
    product: 'C',
    steps: [
      { ...placed, outcome: 'admitted' },
      { ...changed, checks: [lot, band], outcome: 'refused', reason: 'out of the band' },
    ],
  };
}

/** Replays no journal: reports on every order alike. */
export function fakeReplay(order: OrderNumber): OrderReplay {
  return { report: Promise.resolve(fakeReport(order)), stop: () => undefined };
}
