import { INSTRUMENT, SECURITY } from '../../kit/wire/shapes/instrument-shape.ts';
import { LIMITS } from '../../kit/wire/shapes/limits-shape.ts';
import {
  CURVE_SHAPE,
  FUNDS_SHAPE,
  HOLDINGS_SHAPE,
  RESULTS_SHAPE,
  TRADE_CHARGES_SHAPE,
} from '../../kit/wire/shapes/money-shapes.ts';
import { quoteShape } from '../../kit/wire/shapes/quote-shape.ts';
import { PREVIEW_SHAPE, STRATEGY_SHAPE } from '../../kit/wire/shapes/trial-shapes.ts';
import { WHY_SHAPE } from '../../kit/wire/shapes/why-shape.ts';
import { INTEGER, type Matcher, ORDER_NUMBER, RUPEES, T1, T2, T3, TEXT } from '../../kit/wire/wire-checks.ts';

/** The shape of an operation's success. */
export interface SuccessShape {
  /** Absent for an answer without a message. */
  readonly message?: string;
  /** Absent for an answer without data. */
  readonly data?: Matcher;
}

const EXCHANGE = /^(NSE|BSE|NFO|BFO)$/;
const PRICE_TYPE = /^(MKT|LMT|SL-LMT|SL-MKT)$/;
const PRODUCT = /^[CMI]$/;
const RETENTION = /^(DAY|IOC)$/;
const SIDE = /^[BS]$/;
const STATUS = /^(PENDING|OPEN|TRIGGER_PENDING|COMPLETE|CANCELED|REJECTED|AMO OPEN|AMO MODIFIED|AMO CANCELED)$/;
const PRECISION = /^2$/;
const CHARGE = /^\d+\.\d{4}$/;
const OR_BLANK = { integer: /^(0|-?[1-9]\d*)?$/, rupees: /^(-?\d+\.\d{2})?$/ };
const PHASE = /^(Halted|Closed|Buffer|Continuous|PostClose|(PreOpen|Closing)[A-Za-z]*)$/;
const PHASE_OR_BLANK = /^(Halted|Closed|Buffer|Continuous|PostClose|(PreOpen|Closing)[A-Za-z]*)?$/;
const T1_OR_BLANK = /^(\d\d:\d\d:\d\d \d\d-\d\d-\d{4})?$/;
const CANDLE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|00:00:00 \d\d-\d\d-\d{4})$/;

const LTP = { companyName: TEXT, exchange: EXCHANGE };
const LISTING = { exchange: EXCHANGE, token: INTEGER, tradingSymbol: TEXT };

const ORDER_STEP: Matcher = {
  averagePrice: RUPEES,
  exchange: EXCHANGE,
  exchangeOrderNum: /^(\d{16})?$/,
  exchangeTime: T3,
  fillShares: INTEGER,
  orderNumber: ORDER_NUMBER,
  orderTime: T1,
  price: RUPEES,
  priceType: PRICE_TYPE,
  product: PRODUCT,
  quantity: INTEGER,
  rejectReason: /^[\s\S]+$/,
  remarks: TEXT,
  reportType: /^(Pending New|New Ack|Triggered|Fill|Replaced|Replace Rejected|Cancelled|Cancel Rejected|Rejected)$/,
  retention: RETENTION,
  status: STATUS,
  tickSize: RUPEES,
  token: INTEGER,
  tradingSymbol: TEXT,
  transactionType: SIDE,
  userId: TEXT,
};

const TRADE: Matcher = {
  exchange: EXCHANGE,
  exchangeUpdateTime: T2,
  exchordid: /^\d{16}$/,
  fillId: INTEGER,
  fillPrice: 'number',
  fillQuantity: INTEGER,
  fillTime: T2,
  fillshares: INTEGER,
  lotSize: INTEGER,
  orderNumber: ORDER_NUMBER,
  orderTime: T1,
  priceFactor: TEXT,
  pricePrecision: PRECISION,
  priceType: PRICE_TYPE,
  product: PRODUCT,
  quantity: INTEGER,
  retention: RETENTION,
  tickSize: RUPEES,
  token: INTEGER,
  tradingSymbol: TEXT,
  transactionType: SIDE,
  userId: TEXT,
};

const POSITION: Matcher = {
  RealizedPNL: RUPEES,
  cfBuyAmt: OR_BLANK.rupees,
  cfBuyQty: OR_BLANK.integer,
  cfSellAmt: OR_BLANK.rupees,
  cfSellQty: OR_BLANK.integer,
  dayBuyAmount: RUPEES,
  dayBuyAveragePrice: RUPEES,
  dayBuyQuantity: INTEGER,
  daySellAmount: RUPEES,
  daySellAveragePrice: RUPEES,
  daySellQuantity: INTEGER,
  exchange: EXCHANGE,
  lastTradedPrice: RUPEES,
  lotSize: INTEGER,
  netAveragePrice: RUPEES,
  netQuantity: INTEGER,
  netUploadPrice: RUPEES,
  product: PRODUCT,
  tickSize: RUPEES,
  token: INTEGER,
  totalMTM: RUPEES,
  totalPNL: RUPEES,
  tradingSymbol: TEXT,
  unrealizedMTOM: RUPEES,
  uploadPrice: RUPEES,
  userId: TEXT,
};

const ORDER: Matcher = {
  averagePrice: RUPEES,
  exchange: EXCHANGE,
  fillShares: /^([1-9]\d*)?$/,
  lotSize: INTEGER,
  orderNumber: ORDER_NUMBER,
  orderTime: /^\d{10}$/,
  price: RUPEES,
  priceType: PRICE_TYPE,
  product: PRODUCT,
  quantity: INTEGER,
  rejectReason: /^[\s\S]+$/,
  remarks: TEXT,
  retention: RETENTION,
  status: STATUS,
  tickSize: RUPEES,
  token: INTEGER,
  tradingSymbol: TEXT,
  transactionType: SIDE,
  triggerPrice: RUPEES,
  userId: TEXT,
  'strategyId?': TEXT,
  'deviceId?': TEXT,
};

const HOLDING_DETAILS: Matcher = {
  exchangeTradingSymbol: [{ ...LISTING, pricePrecision: PRECISION, tickSize: RUPEES, lotSize: INTEGER }],
  sellAmount: /^\d+\.\d{6}$/,
  holdQuantity: INTEGER,
  hairCut: RUPEES,
  dpQuantity: INTEGER,
  unPledgeQuantity: INTEGER,
  uploadPrice: RUPEES,
  BTSTQuantity: INTEGER,
  usedQuantity: INTEGER,
  tradeQuantity: INTEGER,
  brokerCollateralQuantity: INTEGER,
  beneficiaryQuantity: INTEGER,
  collateralQuantity: INTEGER,
};

const OPTION: Matcher = {
  exchange: EXCHANGE,
  lotSize: INTEGER,
  optionType: /^(CE|PE)$/,
  parentToken: INTEGER,
  pricePrecision: PRECISION,
  strikePrice: RUPEES,
  tickSize: RUPEES,
  token: INTEGER,
  tradingSymbol: TEXT,
  lastTradedPrice: RUPEES,
};

const WORTH = { investedValue: 'number', currentValue: 'number', pnl: 'number', pnlPercent: 'number' } as const;
const WORTH_LIST: Matcher = {
  holdings: [
    {
      exchange: EXCHANGE,
      tradingSymbol: TEXT,
      isin: TEXT,
      quantity: 'number',
      averagePrice: 'number',
      lastTradedPrice: 'number',
      ...WORTH,
    },
  ],
  ...WORTH,
};

const GREEKS: Matcher = {
  ...OPTION,
  delta: /^-?[01]\.\d{4}$/,
  gamma: /^\d+\.\d{8}$/,
  theta: /^-?\d+\.\d{4}$/,
  vega: CHARGE,
  rho: /^-?\d+\.\d{4}$/,
  iv: RUPEES,
  oi: INTEGER,
};

const GTT_ORDER: Matcher = {
  exchange: EXCHANGE,
  tradingSymbol: TEXT,
  transactionType: SIDE,
  product: PRODUCT,
  priceType: PRICE_TYPE,
  retention: RETENTION,
  quantity: INTEGER,
  price: RUPEES,
  triggerPrice: RUPEES,
  remarks: TEXT,
};

const GTT_ANSWER: Matcher = { GTTid: ORDER_NUMBER, requestTime: T1 };
const WAY = /^(ABOVE|BELOW)$/;

/** A row of the GTT book. */
export const GTT: Matcher = {
  GTTid: ORDER_NUMBER,
  status: /^(ACTIVE|TRIGGERED|FIRED|REJECTED|CANCELLED|EXPIRED)$/,
  reason: TEXT,
  exchange: EXCHANGE,
  tradingSymbol: TEXT,
  token: INTEGER,
  validity: /^GTT$/,
  legs: /^[12]$/,
  value: RUPEES,
  condition: WAY,
  'value2?': RUPEES,
  'condition2?': WAY,
  remarks: TEXT,
  createdAt: T1,
  updatedAt: T1,
  validTill: T1,
  firedLeg: /^[12]?$/,
  firedPrice: OR_BLANK.rupees,
  firedAt: T1_OR_BLANK,
  orderNumber: /^(\d{16})?$/,
  OrderParams: GTT_ORDER,
  'OrderParams2?': GTT_ORDER,
};

const CANDLE: Matcher = {
  time: CANDLE_TIME,
  epochTime: 'number',
  open: 'number',
  high: 'number',
  low: 'number',
  close: 'number',
  volume: 'number',
  oi: 'number',
};

const SCRIP: Matcher = {
  token: INTEGER,
  exchange: EXCHANGE,
  companyName: TEXT,
  representationName: TEXT,
  instrumentName: /^(Equity|Options|Futures|Index)$/,
  tradingSymbol: TEXT,
};

const WATCHED = { exchange: EXCHANGE, tradingSymbol: TEXT, token: INTEGER };

const ALERT: Matcher = {
  alertId: INTEGER,
  exchange: EXCHANGE,
  tradingSymbol: TEXT,
  token: INTEGER,
  condition: /^(ABOVE|BELOW)$/,
  price: RUPEES,
  remarks: TEXT,
  status: /^(ACTIVE|FIRED|CANCELLED|EXPIRED)$/,
  createdAt: T1,
  firedAt: /^(\d\d:\d\d:\d\d \d\d-\d\d-\d{4})?$/,
  firedPrice: OR_BLANK.rupees,
};

const ACTION = { orderNumber: ORDER_NUMBER };
const POSITION_ROW = { exchange: EXCHANGE, tradingSymbol: TEXT, product: PRODUCT };
const MODIFIED: Matcher = { ...ACTION, 'rejreason?': TEXT, requestTime: T1 };

/**
 * The success of every operation, written down from the specification and not from the schemas that answers are written
 * by.
 * Source: interface §Resources and their fields, contract sections 3 and 4, reliability I41.
 */
export const SUCCESSES: ReadonlyMap<string, SuccessShape> = new Map<string, SuccessShape>([
  [
    '/login',
    { message: 'Login successful', data: { actid: TEXT, userName: TEXT, susertoken: /^[0-9a-f]{64}$/, email: /@/ } },
  ],
  ['/logout', { message: 'Successfully logged out' }],
  ['/searchScrips', { message: 'Search symbols', data: [SCRIP] }],
  [
    '/getQuote/ltp',
    {
      message: 'Quote LTP data retrieved successfully',
      data: [{ ...LTP, lastTradedPrice: RUPEES, requestTime: T1, token: INTEGER }],
    },
  ],
  ['/getMultiQuotes', { message: 'Multiple quotes data retrieved successfully', data: [quoteShape(false)] }],
  [
    '/getMultiQuotes/ltp',
    {
      message: 'Multiple quotes LTP data retrieved successfully',
      data: [
        {
          ...LTP,
          identifier: /^(NSE|BSE|NFO|BFO):[\s\S]+$/,
          lastTradedPrice: RUPEES,
          requestTime: T1,
          token: 'number',
          tradingSymbol: TEXT,
        },
      ],
    },
  ],
  ['/securityInfo', { message: 'Fetched security info successfully', data: SECURITY }],
  ['/getInstrument', { message: 'Instrument retrieved successfully', data: INSTRUMENT }],
  ['/indexList', { message: 'All indexes', data: [{ ...LISTING, symbol: TEXT, idxname: TEXT }] }],
  ['/getExpiry', { message: 'Expiry dates retrieved successfully', data: { expiryDates: [/^\d{2}[A-Z]{3}\d{4}$/] } }],
  ['/optionChain', { message: 'Option chain data retrieved successfully', data: [OPTION] }],
  ['/timePriceSeries', { message: 'Successfully fetched charts data', data: [CANDLE] }],
  ['/placeOrder', { message: 'Order details', data: { ...ACTION, requestTime: T1 } }],
  [
    '/modifyOrder',
    {
      message: 'Order modification details',
      data: { ...ACTION, 'rejreason?': TEXT, remarks: TEXT, requestTime: T1 },
    },
  ],
  ['/cancelOrder', { message: 'Order cancellation details', data: { ...ACTION, rejreason: TEXT, requestTime: T1 } }],
  ['/singleOrderHistory', { message: 'Order history data received', data: [ORDER_STEP] }],
  ['/tradeBook', { message: 'Trade history data received', data: [TRADE] }],
  ['/positionBook', { message: 'Positions retrieved successfully', data: [POSITION] }],
  ['/holdings', { message: 'Fetched holdings', data: [{ exchange: EXCHANGE, tradingSymbol: TEXT }] }],
  [
    '/productConversion',
    { message: 'Partial position conversion info fetched', data: { Status: /^[\s\S]+$/, requestTime: T1 } },
  ],
  [
    '/basketMargin',
    {
      message: 'Fetched basket margin successfully',
      data: {
        BasketMargin: ['number'],
        MarginOnNewOrder: 'number',
        PreviousMargin: 'number',
        Remarks: /^(Insufficient Balance)?$/,
        TradedMargin: 'number',
      },
    },
  ],
  ['/limit', { message: 'Successfully fetched RMS limits', data: LIMITS }],
  ['/orderBook', { message: 'Order book', data: [ORDER] }],
  ['/getQuote', { message: 'Quote data retrieved successfully', data: quoteShape(true) }],
  [
    '/userDetails',
    {
      data: {
        actid: TEXT,
        email: /@/,
        exchange: [EXCHANGE],
        orarr: [PRICE_TYPE],
        requestTime: T1,
        uprev: /^INVESTOR$/,
        userName: TEXT,
      },
    },
  ],
  [
    '/orderMargin',
    {
      message: 'Fetched order margin successfully',
      data: {
        availableMargin: RUPEES,
        cash: RUPEES,
        marginOnNewOrder: RUPEES,
        remarks: /^(Insufficient Balance)?$/,
        requestTime: T1,
      },
    },
  ],
  ['/holdingsDetails', { message: 'Fetched holdings', data: [HOLDING_DETAILS] }],
  [
    '/brokerageCalculator',
    {
      message: 'Brokerage Data',
      data: {
        brokerage: CHARGE,
        exchange_charge: CHARGE,
        gst: CHARGE,
        sebi_charge: CHARGE,
        stamp_duty: CHARGE,
        remarks: /^$/,
      },
    },
  ],
  ['/placeGttOrder', { message: 'GTT order placed successfully', data: GTT_ANSWER }],
  ['/modifyGttOrder', { message: 'GTT order modified successfully', data: GTT_ANSWER }],
  ['/cancelGttOrder', { message: 'GTT order cancelled successfully', data: GTT_ANSWER }],
  ['/GttOrderBook', { message: 'GTT order book', data: [GTT] }],
  ['/optionChainGreeks', { message: 'Option chain with Greeks retrieved successfully', data: [GREEKS] }],
  [
    '/basketOrder',
    {
      message: 'Basket order details',
      data: [{ orderNumber: /^(\d{16})?$/, 'rejreason?': TEXT, requestTime: T1 }],
    },
  ],
  ['/placeAMO', { message: 'Order details', data: { ...ACTION, requestTime: T1 } }],
  ['/placeAfterMarketOrder', { message: 'Order details', data: { ...ACTION, requestTime: T1 } }],
  ['/modifyAMO', { message: 'Order modification details', data: MODIFIED }],
  ['/modifyAfterMarketOrder', { message: 'Order modification details', data: MODIFIED }],
  [
    '/combinedHoldings',
    {
      message: 'Holdings fetched successfully',
      data: { mutualFunds: WORTH_LIST, stocks: WORTH_LIST, combinedHoldings: WORTH },
    },
  ],
  [
    '/cancelAllOrders',
    {
      message: 'Orders cancelled',
      data: { cancelled: [ACTION], refused: [{ ...ACTION, reason: /./ }], left: INTEGER, requestTime: T1 },
    },
  ],
  [
    '/exitAllPositions',
    {
      message: 'Positions exited',
      data: {
        orders: [{ ...POSITION_ROW, orderNumber: ORDER_NUMBER }],
        refused: [{ ...POSITION_ROW, orderNumber: /^(\d{16})?$/, reason: /./ }],
        cancelled: [ACTION],
        left: INTEGER,
        requestTime: T1,
      },
    },
  ],
  [
    '/getPlacement',
    { message: 'Placement retrieved successfully', data: { orders: [{ orderNumber: ORDER_NUMBER }], requestTime: T1 } },
  ],
  ['/getOrderWhy', { message: 'Order explained', data: WHY_SHAPE }],
  ['/previewOrders', { message: 'Orders previewed', data: PREVIEW_SHAPE }],
  ['/getStrategy', { message: 'Strategy computed', data: STRATEGY_SHAPE }],
  [
    '/getQueuePlaces',
    {
      message: 'Queue places',
      data: [
        {
          orderNumber: ORDER_NUMBER,
          exchange: EXCHANGE,
          tradingSymbol: TEXT,
          transactionType: SIDE,
          price: RUPEES,
          quantity: INTEGER,
          ahead: OR_BLANK.integer,
        },
      ],
    },
  ],
  [
    '/getMarketStatus',
    {
      message: 'Market status retrieved successfully',
      data: {
        marketTime: T1,
        speed: /^1$/,
        exchanges: [
          {
            exchange: EXCHANGE,
            phase: PHASE,
            isOpen: /^(true|false)$/,
            nextPhase: PHASE_OR_BLANK,
            nextAt: T1_OR_BLANK,
          },
        ],
        requestTime: T1,
      },
    },
  ],
  ['/getHoldings', { message: 'Holdings', data: HOLDINGS_SHAPE }],
  ['/getResults', { message: 'Results', data: RESULTS_SHAPE }],
  ['/getFunds', { message: 'Funds', data: FUNDS_SHAPE }],
  ['/getDayCurve', { message: 'Curve of the day', data: CURVE_SHAPE }],
  ['/getTradeCharges', { message: 'Charges of trades', data: TRADE_CHARGES_SHAPE }],
  ['/getWatchlists', { message: 'Watchlists', data: [{ name: TEXT, instruments: [WATCHED] }] }],
  ['/saveWatchlist', { message: 'Watchlist saved', data: { name: TEXT, requestTime: T1 } }],
  ['/placeAlert', { message: 'Alert details', data: { alertId: INTEGER, requestTime: T1 } }],
  ['/getAlerts', { message: 'Alerts', data: [ALERT] }],
  ['/cancelAlert', { message: 'Alert cancellation details', data: { alertId: INTEGER, requestTime: T1 } }],
  ['/deleteWatchlist', { message: 'Watchlist deleted', data: { name: TEXT, requestTime: T1 } }],
]);

/** The answer to a placement that was placed in slices. Source: market-rules R1.29. */
export const SLICED_ORDER: Matcher = [{ orderNumber: ORDER_NUMBER, quantity: INTEGER, requestTime: T1 }];
