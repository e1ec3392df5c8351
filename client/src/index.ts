/** All that the package offers; `@sauda/client/testing` is apart. */

export type { Alerts } from './alerts.ts';
export {
  AuthError,
  InvalidRequest,
  RateLimited,
  RequestError,
  SaudaError,
  TransportError,
  type TransportReason,
  Unavailable,
} from './errors.ts';
export type {
  Exchange,
  Interval,
  OrderStatus,
  PriceType,
  Product,
  Retention,
  Side,
} from './generated/operations.ts';
export type { Gtt, GttChange, NewGtt } from './gtt.ts';
export type { Instrument, InstrumentName } from './instrument.ts';
export type { Margin, OrderQuestion, PreviewedOrder } from './margin.ts';
export type { CandleRange, ChainQuestion, GreeksQuestion, Market, StrategyLeg } from './market.ts';
export { type FineRupees, fromPaise, type Rupees, toPaise } from './money.ts';
export type { OperatorAccess } from './operator-port.ts';
export { type OrderNumber, orderNumber } from './order-number.ts';
export type { NewOrder, OrderChange, Orders, Until, WaitOptions } from './orders.ts';
export type { Conversion, ConversionResult, Portfolio } from './portfolio.ts';
export type { OrderReached, OrderRefused, OrderTaken } from './results.ts';
export { type Credentials, Sauda, type SaudaOptions } from './sauda.ts';
export type { Down } from './stream/connection.ts';
export type * from './stream/events.ts';
export type { SocketClass, StreamSocket } from './stream/socket.ts';
export type { Occasions, SaudaStream, UserOptions } from './stream/stream.ts';
export type { Subscription } from './stream/subscription.ts';
export type { Ahead, ClockOptions, MarketBoundary, MarketClock, StepOptions, Time } from './time.ts';
export { instantOf, wireTime } from './times.ts';
export { totpOf } from './totp.ts';
export type { CallOptions, PlacementOptions, Session } from './transport.ts';
export type { Watchlists } from './watchlists.ts';
export type * from './wire.ts';
