/** A delivery buy of RELIANCE as `placeOrder` takes it, but for its price and who places it. */
export const DELIVERY_ORDER = {
  exchange: 'NSE',
  tradingSymbol: 'RELIANCE-EQ',
  transactionType: 'B',
  quantity: '1',
  priceType: 'LMT',
  product: 'C',
  retention: 'DAY',
  triggerPrice: '0',
} as const;
