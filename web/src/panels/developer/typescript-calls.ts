/**
 * The calls of `@sauda/client` that send the operations. An operation without an entry here is asked by `fetch`, as
 * the interface describes it.
 */

/** The call, and what it needs from the package beside `Sauda`. */
export interface ClientCall {
  readonly call: string;
  readonly names: readonly string[];
}

const SESSION = 'userId: session.userId, jKey: session.token';

/** The fields of a request. */
export type Fields = Readonly<Record<string, unknown>>;
type Writer = (fields: Fields) => string;

/** A call without arguments. */
const bare =
  (path: string): Writer =>
  () =>
    `sauda.${path}()`;
/** A call that takes the fields as they are, but for some that the client adds by itself. */
const whole =
  (path: string, ...added: readonly string[]): Writer =>
  (fields) =>
    `sauda.${path}(${literal(without(fields, ...added))})`;
/** A call that takes one field. */
const one =
  (path: string, field: string): Writer =>
  (fields) =>
    `sauda.${path}(${literal(fields[field])})`;
const ofOrder =
  (path: string): Writer =>
  (fields) =>
    `sauda.${path}(orderNumber(${literal(fields.orderNumber)}))`;
const ofInstrument =
  (path: string): Writer =>
  (fields) =>
    `sauda.${path}(${literal(nameOf(fields))})`;
const ofInstruments =
  (path: string): Writer =>
  ({ data }) =>
    `sauda.${path}(${literal((data as readonly Fields[]).map(nameOf))})`;

const CALLS: Readonly<Record<string, Writer>> = {
  demoUsers: bare('demoUsers'),
  demoLogin: bare('demoLogin'),
  logout: bare('logout'),
  userDetails: bare('user'),
  tradeBook: bare('trades'),
  placeOrder: whole('orders.place'),
  basketOrder: one('orders.placeBasket', 'legs'),
  getPlacement: one('orders.placedUnder', 'idempotencyKey'),
  cancelOrder: ofOrder('orders.cancel'),
  cancelAllOrders: whole('orders.cancelAll'),
  orderBook: bare('orders.list'),
  singleOrderHistory: ofOrder('orders.history'),
  getOrderWhy: ofOrder('orders.why'),
  getQueuePlaces: whole('orders.queuePlaces'),
  positionBook: bare('portfolio.positions'),
  holdingsDetails: bare('portfolio.holdings'),
  limit: bare('portfolio.limits'),
  getResults: bare('portfolio.results'),
  getHoldings: bare('portfolio.holdingsValue'),
  getFunds: bare('portfolio.funds'),
  getDayCurve: whole('portfolio.dayCurve'),
  getTradeCharges: bare('portfolio.tradeCharges'),
  exitAllPositions: whole('portfolio.exitAll'),
  orderMargin: whole('margin.order'),
  previewOrders: one('margin.preview', 'orders'),
  getMultiQuotes: ofInstruments('market.quotes'),
  'getMultiQuotes/ltp': ofInstruments('market.ltp'),
  timePriceSeries: (fields) => {
    const { startTime: from, endTime: to, interval } = fields;
    return `sauda.market.candles(${literal(nameOf(fields))}, ${literal({ from, to, interval })})`;
  },
  searchScrips: one('market.search', 'stext'),
  optionChain: whole('market.chain'),
  optionChainGreeks: whole('market.greeks'),
  getStrategy: one('market.strategy', 'legs'),
  getInstrument: ofInstrument('market.instrument'),
  getExpiry: ofInstrument('market.expiries'),
  getMarketStatus: bare('market.status'),
  securityInfo: ofInstrument('market.info'),
  indexList: bare('market.indices'),
  placeGttOrder: whole('gtt.place', 'validity'),
  modifyGttOrder: (fields) => {
    return `sauda.gtt.modify(${literal(fields.GTTid)}, ${literal(without(fields, 'GTTid', 'validity'))})`;
  },
  cancelGttOrder: one('gtt.cancel', 'GTTid'),
  GttOrderBook: bare('gtt.list'),
  getWatchlists: bare('watchlists.list'),
  saveWatchlist: ({ name, instruments }) => {
    const names = (instruments as readonly Fields[]).map(nameOf);
    return `sauda.watchlists.save(${literal(name)}, ${literal(names)})`;
  },
  deleteWatchlist: one('watchlists.delete', 'name'),
  placeAlert: whole('alerts.place'),
  getAlerts: bare('alerts.list'),
  cancelAlert: one('alerts.cancel', 'alertId'),
};

/** The call for an operation with the fields that were sent, without those of the session. */
export function typescriptCall(operation: string, fields: Fields, origin: string): ClientCall {
  const call = CALLS[operation]?.(fields) ?? byFetch(operation, fields, origin);
  return { call, names: call.includes('orderNumber(') ? ['orderNumber'] : [] };
}

function byFetch(operation: string, fields: Fields, origin: string): string {
  const given = literal(fields);
  return [
    `fetch(${JSON.stringify(`${origin}/V1/${operation}`)}, {`,
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    `  body: JSON.stringify({ ${SESSION}${given === '' ? '' : `, ...${given}`} }),`,
    '}).then((response) => response.json())',
  ].join('\n');
}

function nameOf({ exchange, tradingSymbol }: Fields): string {
  return `${String(exchange)}:${String(tradingSymbol)}`;
}

/** The fields without some of them. */
export function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** A value as source text, with names that need no quotes bare. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  if (entries.length === 0) return '';
  const lines = entries.map(
    ([name, field]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${literal(field)}`,
  );
  return lines.length <= 3 ? `{ ${lines.join(', ')} }` : `{\n${lines.map((line) => `  ${line},`).join('\n')}\n}`;
}
