import { INTEGER, type Matcher, ORDER_NUMBER, RUPEES, T1, TEXT } from '../wire-checks.ts';

/** The answers of the operations on results, funds and charges. Source: docs/rules/wire-own.md. */

const EXCHANGE = /^(NSE|BSE|NFO|BFO)$/;
const T1_OR_BLANK = /^(\d\d:\d\d:\d\d \d\d-\d\d-\d{4})?$/;
const SUMS = { realised: RUPEES, open: RUPEES, total: RUPEES };

export const RESULTS_SHAPE: Matcher = {
  rows: [
    {
      exchange: EXCHANGE,
      tradingSymbol: TEXT,
      token: INTEGER,
      product: /^[CMI]$/,
      underlying: TEXT,
      netQuantity: INTEGER,
      averagePrice: RUPEES,
      lastTradedPrice: RUPEES,
      ...SUMS,
    },
  ],
  underlyings: [{ underlying: TEXT, ...SUMS }],
  ...SUMS,
  charges: RUPEES,
  net: RUPEES,
  requestTime: T1,
};

export const FUNDS_SHAPE: Matcher = {
  underlyings: [
    {
      exchange: EXCHANGE,
      underlying: TEXT,
      scan: RUPEES,
      spreadCharge: RUPEES,
      shortMinimum: RUPEES,
      netOptionValue: RUPEES,
      span: RUPEES,
      exposure: RUPEES,
      premium: RUPEES,
      cashSegment: RUPEES,
      total: RUPEES,
    },
  ],
  figures: [{ name: TEXT, amount: RUPEES, entries: [{ time: T1_OR_BLANK, text: TEXT, amount: RUPEES }] }],
  requestTime: T1,
};

export const CURVE_SHAPE: Matcher = {
  points: [{ time: T1, ...SUMS, drawdown: /^\d+\.\d{2}$/ }],
  interval: /^\d+mi$/,
  underlyings: [{ underlying: TEXT, points: [{ time: T1, total: RUPEES }] }],
  greatestDrawdown: /^\d+\.\d{2}$/,
  requestTime: T1,
};

const LEVIES = {
  brokerage: RUPEES,
  transaction: RUPEES,
  investorProtection: RUPEES,
  sebi: RUPEES,
  clearing: RUPEES,
  gst: RUPEES,
  stt: RUPEES,
  stamp: RUPEES,
};

export const TRADE_CHARGES_SHAPE: Matcher = {
  rows: [
    {
      orderNumber: ORDER_NUMBER,
      fillId: INTEGER,
      exchange: EXCHANGE,
      tradingSymbol: TEXT,
      transactionType: /^[BS]$/,
      quantity: INTEGER,
      price: RUPEES,
      value: RUPEES,
      ...LEVIES,
      total: RUPEES,
    },
  ],
  totals: { value: RUPEES, ...LEVIES, total: RUPEES },
  others: [{ text: TEXT, amount: RUPEES }],
  charges: RUPEES,
  requestTime: T1,
};

const HOLDING_SUMS = { invested: RUPEES, value: RUPEES, result: RUPEES, dayChange: RUPEES, collateral: RUPEES };

export const HOLDINGS_SHAPE: Matcher = {
  rows: [
    {
      exchange: EXCHANGE,
      tradingSymbol: TEXT,
      token: INTEGER,
      isin: /^[A-Z0-9]*$/,
      quantity: INTEGER,
      unsettled: INTEGER,
      pledged: INTEGER,
      used: INTEGER,
      salable: INTEGER,
      averagePrice: RUPEES,
      lastTradedPrice: RUPEES,
      previousClose: RUPEES,
      ...HOLDING_SUMS,
    },
  ],
  ...HOLDING_SUMS,
  requestTime: T1,
};
