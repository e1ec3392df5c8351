import { INTEGER, type Matcher, RUPEES, TEXT } from '../wire-checks.ts';

const RUPEES_OR_BLANK = /^(\d+\.\d{2})?$/;

const MASTER_DATA = {
  companyName: TEXT,
  exchange: /^(NSE|BSE|NFO|BFO)$/,
  freezeQuantity: INTEGER,
  instrumentName: TEXT,
  lotSize: INTEGER,
  mult: /^1$/,
  priceFactor: TEXT,
  pricePrecision: /^2$/,
  segment: /^(EQT|FNO)$/,
  symbolName: TEXT,
  tickSize: RUPEES,
  token: INTEGER,
  tradingSymbol: TEXT,
};

/** The answer of `securityInfo`. */
export const SECURITY: Matcher = MASTER_DATA;

/** The answer of `getInstrument`. */
export const INSTRUMENT: Matcher = {
  ...MASTER_DATA,
  products: [/^[CMI]$/],
  priceTypes: [/^(MKT|LMT|SL-LMT|SL-MKT)$/],
  retentions: [/^(DAY|IOC)$/],
  upperCircuit: RUPEES_OR_BLANK,
  lowerCircuit: RUPEES_OR_BLANK,
  orders: /^(EXCHANGE|WAIT|REFUSED)$/,
  waitsFor: /^(\d\d-\d\d-\d{4})?$/,
  reason: TEXT,
  expiry: /^(\d{2}[A-Z]{3}\d{4})?$/,
  strikePrice: RUPEES_OR_BLANK,
  optionType: /^(CE|PE)?$/,
  underlying: TEXT,
  underlyingExchange: /^(NSE|BSE)?$/,
  underlyingSymbol: TEXT,
  contractExchange: /^(NFO|BFO)?$/,
};
