import { INTEGER, type Matcher, ORDER_NUMBER, RUPEES, TEXT } from '../wire-checks.ts';

/** The answer of `getOrderWhy`. */
export const WHY_SHAPE: Matcher = {
  orderNumber: ORDER_NUMBER,
  userId: TEXT,
  exchange: /^(NSE|BSE|NFO|BFO)$/,
  tradingSymbol: TEXT,
  transactionType: /^[BS]$/,
  product: /^[CMI]$/,
  steps: [
    {
      step: /^(placement|modification)$/,
      at: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
      record: INTEGER,
      priceType: /^(MKT|LMT|SL-LMT|SL-MKT)$/,
      retention: /^(DAY|IOC)$/,
      quantity: INTEGER,
      price: RUPEES,
      triggerPrice: /^(\d+\.\d{2})?$/,
      outcome: /^(admitted|refused)$/,
      reason: TEXT,
      checks: [
        {
          check: /./,
          rule: /^R\d/,
          outcome: /^(passed|refused|unasked)$/,
          figures: [{ name: /./, value: TEXT }],
        },
      ],
    },
  ],
  'outcomes?': [{ at: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?$/, record: INTEGER, outcome: /./ }],
};
