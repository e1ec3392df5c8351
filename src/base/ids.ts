import type { Brand } from './brand.ts';

/** A dense number for an account, given in the order of registration from 0. The wire knows it by its user id. */
export type AccountId = Brand<'AccountId'>;
/** `YYMMDD`, two digits of the shard and eight digits, increasing for ever. Source: market-rules R0.8. */
export type OrderNumber = Brand<'OrderNumber'>;
/** The number of a GTT: shaped as an order's, increasing for ever. */
export type GttNumber = Brand<'GttNumber'>;
/** The number of a price alert: the sequence number of the record that placed it. */
export type AlertNumber = Brand<'AlertNumber'>;
/** Sixteen digits, increasing for ever. Source: market-rules R0.8. */
export type ExchangeOrderNumber = Brand<'ExchangeOrderNumber'>;
/** A trade's number, shared by its two fills, increasing for ever. */
export type TradeId = Brand<'TradeId'>;
/** `token * 4 + exchange ordinal`: stable for ever, whatever else is listed. */
export type InstrumentId = Brand<'InstrumentId'>;
/**
 * The number of a market second: whole seconds since 1970-01-01T00:00:00Z. The market moves only from one to the next.
 */
export type Tick = Brand<'Tick'>;

export const EXCHANGES = ['NSE', 'BSE', 'NFO', 'BFO'] as const;
export type Exchange = (typeof EXCHANGES)[number];

/**
 * The files of instruments that clients download: one an exchange, and one of the contracts on indices. Source:
 * contract section 4.
 */
export const SYMBOL_FILES = [...EXCHANGES, 'Indices'] as const;
export type SymbolFile = (typeof SYMBOL_FILES)[number];

/** The stable number of an instrument. */
export function instrumentId(exchange: Exchange, token: number): InstrumentId {
  return (token * EXCHANGES.length + EXCHANGES.indexOf(exchange)) as InstrumentId;
}

export function exchangeOf(id: InstrumentId): Exchange {
  return EXCHANGES[id % EXCHANGES.length] as Exchange;
}

export function tokenOf(id: InstrumentId): number {
  return Math.floor(id / EXCHANGES.length);
}
