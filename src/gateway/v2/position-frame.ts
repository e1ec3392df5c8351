/**
 * The frame of a position on the V2 socket: the scrip over its exchanges, with one row an exchange, every value a text.
 * Source: docs/stream.md.
 */

import { must } from '../../base/assert.ts';
import { formatRupees } from '../../base/decimal.ts';
import type { AccountId } from '../../base/ids.ts';
import { addPaise, type Paise, type Quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import { type Position, positionKey } from '../../core/account.ts';
import type { Instrument } from '../../core/instrument.ts';
import { buyAmount, buyQuantity, netQuantity, sellAmount, sellQuantity } from '../../core/position.ts';
import { positionFigures } from '../../core/query.ts';
import { accountOf, type State } from '../../core/state.ts';
import type { Views } from '../../views/views.ts';
import type { GatewayParts } from '../deps.ts';
import { openByModel } from '../endpoints/account/position-book.ts';
import { instrumentName, PRICE_PRECISION, TRADE_PRICE_FACTOR } from '../fields/names.ts';
import { averageText } from '../fields/numbers.ts';
import { epochSeconds } from '../fields/times.ts';
import type { AccountEvent } from '../stream/account-change.ts';

/** Clients know a frame of a position by this field. */
const BROKER = 'SAUDA';

/** The positions of one scrip, the one that changed first. */
type Rows = readonly [Position, ...Position[]];

/** Positions in the order of their first use, by the ISIN of their shares. */
export type RowsInShares = ReadonlyMap<string, readonly Position[]>;

/** The parts that a frame is made with, and its user. */
export interface PositionParts extends Pick<GatewayParts, 'instruments' | 'avgModel'> {
  readonly account: AccountId;
  readonly userId: string;
  /** At least those in the share of the frame. */
  readonly inShares: RowsInShares;
}

/** The positions in some shares; a blank ISIN, that of a contract, is none. Goes through the positions once at most. */
export function rowsInShares(positions: ReadonlyMap<number, Position>, isins: Iterable<string>): RowsInShares {
  const found = new Map<string, Position[]>();
  for (const isin of isins) if (isin !== '') found.set(isin, []);
  if (found.size > 0) for (const row of positions.values()) found.get(row.isin)?.push(row);
  return found;
}

/** The realised result of a position, by the model of the service. */
type Realised = (row: Position) => Paise;

/** The frame, as JSON; `undefined` when the position is not there any more. */
export function positionText(
  state: State,
  views: Views,
  { instruments, avgModel, account, userId, inShares }: PositionParts,
  at: EpochMs,
  { instrument: id, product }: Extract<AccountEvent, { type: 'position' }>,
): string | undefined {
  const { positions } = accountOf(state, account);
  const changed = positions.get(positionKey(id, product));
  if (changed === undefined) return undefined;
  const inShare = inShares.get(changed.isin) ?? [];
  const others = inShare.filter((row) => row !== changed && row.product === product);
  const instrumentOf = (row: Position): Instrument => {
    return must(instruments.get(row.instrument), 'a position is in a listed instrument');
  };
  const realised: Realised = (row) => {
    return positionFigures(row, row.mark, openByModel(avgModel, views, account, row)).realised;
  };
  const all: Rows = [changed, ...others];
  const instrument = instrumentOf(changed);
  return JSON.stringify({
    child_orders: all.map((row) => ({ ...figures([row], realised), ...scrip(instrumentOf(row)) })),
    ...figures(all, realised),
    ...open(all),
    ...scrip(instrument),
    uid: userId,
    actid: userId,
    pcode: product,
    brkname: BROKER,
    uptm: String(epochSeconds(at)),
    instname: instrumentName(instrument),
  });
}

function scrip({ exchange, token, tradingSymbol, lot, tick }: Instrument) {
  return {
    exch: exchange,
    token: String(token),
    tsym: tradingSymbol,
    ls: String(lot),
    ti: formatRupees(tick),
    pp: PRICE_PRECISION,
    mult: '1',
    prcftr: TRADE_PRICE_FACTOR,
  };
}

function figures(rows: Rows, realised: Realised) {
  const units = (of: (row: Position) => number): Quantity => rows.reduce((sum, row) => sum + of(row), 0) as Quantity;
  const amount = (of: (row: Position) => Paise): Paise => rows.map(of).reduce(addPaise);
  const [bought, sold] = [units(buyQuantity), units(sellQuantity)];
  const [paid, earned] = [amount(buyAmount), amount(sellAmount)];
  const dayBuy = { quantity: units((row) => row.dayBuyQuantity), amount: amount((row) => row.dayBuyAmount) };
  const daySell = { quantity: units((row) => row.daySellQuantity), amount: amount((row) => row.daySellAmount) };
  const [average, sellAverage] = [averageText(paid, bought), averageText(earned, sold)];
  return {
    netqty: String(units(netQuantity)),
    rpnl: formatRupees(amount(realised)),
    upload_prc: formatRupees(positionFigures(rows[0], rows[0].mark).uploadPrice),
    buyavgprc: average,
    sellavgprc: sellAverage,
    totbuyamt: formatRupees(paid),
    totbuyavgprc: average,
    totsellamt: formatRupees(earned),
    totsellavgprc: sellAverage,
    daybuyqty: String(dayBuy.quantity),
    daybuyamt: formatRupees(dayBuy.amount),
    daybuyavgprc: averageText(dayBuy.amount, dayBuy.quantity),
    daysellqty: String(daySell.quantity),
    daysellamt: formatRupees(daySell.amount),
    daysellavgprc: averageText(daySell.amount, daySell.quantity),
  };
}

/** The open orders of the scrip. */
function open(rows: Rows) {
  const sum = (of: (row: Position) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return {
    openbuyqty: String(sum((row) => row.openBuyQuantity)),
    openbuyamt: formatRupees(sum((row) => row.openBuyAmount) as Paise),
    opensellqty: String(sum((row) => row.openSellQuantity)),
    opensellamt: formatRupees(sum((row) => row.openSellAmount) as Paise),
  };
}
