/** An order as tests of the client place it. */
export const ORDER = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  quantity: 10,
  product: 'C',
  priceType: 'MKT',
} as const;
