import { INTEGER, type Matcher, RUPEES, T1, TEXT } from '../wire-checks.ts';

/** The answer of `previewOrders`. */
export const PREVIEW_SHAPE: Matcher = {
  orders: [
    {
      outcome: /^(admitted|refused)$/,
      check: TEXT,
      rule: /^(R\d+\.\d+)?$/,
      reason: TEXT,
      price: RUPEES,
      filled: INTEGER,
      marginAlone: RUPEES,
      charges: RUPEES,
      warnings: [TEXT],
      slices: /^[1-9]\d*$/,
    },
  ],
  margin: RUPEES,
  sumAlone: RUPEES,
  peak: RUPEES,
  bestOrder: [INTEGER],
  bestPeak: RUPEES,
  charges: RUPEES,
  availableMargin: RUPEES,
  availableAfter: RUPEES,
  marginUsed: RUPEES,
  marginUsedAfter: RUPEES,
  blocked: RUPEES,
  requestTime: T1,
};

const GREEKS = { delta: /^-?\d+\.\d{4}$/, gamma: /^-?\d+\.\d{8}$/, theta: /^-?\d+\.\d{4}$/, vega: /^-?\d+\.\d{4}$/ };

/** The answer of `getStrategy`. */
export const STRATEGY_SHAPE: Matcher = {
  underlying: TEXT,
  spot: RUPEES,
  nearestExpiry: /^(\d\d[A-Z]{3}\d{4})?$/,
  points: [{ price: RUPEES, atExpiry: RUPEES, today: RUPEES }],
  breakevens: [RUPEES],
  greatestProfit: /^(-?\d+\.\d\d)?$/,
  greatestLoss: /^(-?\d+\.\d\d)?$/,
  netPremium: RUPEES,
  ...GREEKS,
  legs: [
    {
      exchange: /^(NSE|BSE|NFO|BFO)$/,
      tradingSymbol: TEXT,
      transactionType: /^[BS]$/,
      quantity: INTEGER,
      price: RUPEES,
      impliedVolatility: /^(\d+\.\d\d)?$/,
      ...GREEKS,
    },
  ],
  requestTime: T1,
};
