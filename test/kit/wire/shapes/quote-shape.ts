import { INTEGER, RUPEES, type Shape, T1, TEXT } from '../wire-checks.ts';

function depth(side: 'Buy' | 'Sell'): Shape {
  const shape: Record<string, RegExp> = {};
  for (const [name, matcher] of [
    ['Order', INTEGER],
    ['Price', RUPEES],
    ['Quantity', INTEGER],
  ] as const) {
    for (const level of [1, 2, 3, 4, 5]) shape[`best${side}${name}${level}`] = matcher;
  }
  return shape;
}

/** The fields of a full quote. `single`: with ISIN, without identifier and instrumentName. */
export function quoteShape(single: boolean): Shape {
  return {
    VWAP: RUPEES,
    ...depth('Buy'),
    ...depth('Sell'),
    companyName: TEXT,
    dayClosePrice: RUPEES,
    'dayHighPrice?': RUPEES,
    'dayLowPrice?': RUPEES,
    'dayOpenPrice?': RUPEES,
    exchange: /^(NSE|BSE|NFO|BFO)$/,
    ...(single
      ? { 'isin?': /^([A-Z]{2}[A-Z0-9]{10})?$/ }
      : { identifier: /^(NSE|BSE|NFO|BFO):.+$/, instrumentName: TEXT }),
    lastTradedPrice: RUPEES,
    lotSize: INTEGER,
    multipler: /^1$/,
    oi: INTEGER,
    'open?': RUPEES,
    openInterest: RUPEES,
    priceFactor: /^\(1 \/ 1 \) \* \(1 \/ 1\)$/,
    pricePrecision: /^2$/,
    requestTime: T1,
    segment: /^(Equity|Options|Futures|Indices)$/,
    symbolName: TEXT,
    tickSize: RUPEES,
    token: INTEGER,
    totalBuyQuantity: INTEGER,
    totalSellQuantity: INTEGER,
    tradingSymbol: TEXT,
    volume: INTEGER,
  };
}

/** Requests that every operation with a `data` array of instruments refuses, with the field that it names. */
export const BAD_LISTS: readonly (readonly [data: unknown, field: string, message?: string])[] = [
  [[], 'data', 'required field is empty or missing: data'],
  [[{}], 'exchange', 'required field is empty or missing: exchange'],
  [[{ exchange: 'NSE' }], 'tradingSymbol', 'required field is empty or missing: tradingSymbol'],
  [[{ exchange: 'NSE', tradingSymbol: '' }], 'tradingSymbol', 'required field is empty or missing: tradingSymbol'],
  [[{ exchange: 'MCX', tradingSymbol: 'GOLD' }], 'exchange', 'Invalid exchange provided'],
  [[{ exchange: 'NSE', tradingSymbol: 'NOSUCH-EQ' }], 'tradingSymbol'],
  [
    [
      { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' },
      { exchange: 'NSE', tradingSymbol: 7 },
    ],
    'tradingSymbol',
  ],
  [['NSE:IDEA-EQ'], 'data'],
  [Array(101).fill({ exchange: 'NSE', tradingSymbol: 'IDEA-EQ' }), 'data'],
];
