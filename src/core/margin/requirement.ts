import type { InstrumentId } from '../../base/ids.ts';
import { type Paise, scaleHalfUp, ZERO_PAISE } from '../../base/money.ts';
import type { MarginParts } from '../event.ts';
import type { Product } from '../order.ts';
import type { Desk } from '../ports.ts';
import { netQuantity, openAmount } from '../position.ts';
import type { Position } from '../state.ts';
import { type RiskSheet, riskSheet } from './contract-risk.ts';

/** The rows of one portfolio by instrument. */
export type Legs = ReadonlyMap<InstrumentId, readonly Position[]>;

type Sum = { -readonly [Part in keyof MarginParts]: number };

/** Intraday margin of shares as a share of their value, in hundredths. Source: market-rules R4.20, R4.22. */
export const INTRADAY_PERCENT = 20;

const NO_LEGS: Legs = new Map();

/**
 * The margin of one portfolio from its positions and its open orders, in paise. `changed` rows stand in for the rows of the same
 * instrument and product, so that a wish can be measured without touching the books. Nothing is netted across contracts.
 * Source: market-rules R4.27, R4.28, architecture "Margin".
 */
export function requirement(desk: Desk, legs: Legs = NO_LEGS, changed: readonly Position[] = []): MarginParts {
  const sheet = riskSheet(desk);
  const sum: Sum = { span: 0, exposure: 0, premium: 0, cash: 0 };
  for (const [instrument, rows] of legs) {
    if (firstOf(changed, instrument) === undefined) addLeg(sheet, sum, rows);
  }
  for (const row of changed) {
    const { instrument } = row;
    if (firstOf(changed, instrument) === row) addLeg(sheet, sum, mergedRows(legs.get(instrument), changed, instrument));
  }
  return sum as MarginParts;
}

function firstOf(rows: readonly Position[], instrument: InstrumentId): Position | undefined {
  for (const row of rows) if (row.instrument === instrument) return row;
  return undefined;
}

function mergedRows(
  rows: readonly Position[] | undefined,
  changed: readonly Position[],
  instrument: InstrumentId,
): Position[] {
  const merged: Position[] = [];
  for (const row of changed) if (row.instrument === instrument) merged.push(row);
  if (rows === undefined) return merged;
  for (const row of rows) if (!hasProduct(merged, row.product)) merged.push(row);
  return merged;
}

function hasProduct(rows: readonly Position[], product: Product): boolean {
  for (const row of rows) if (row.product === product) return true;
  return false;
}

function addLeg(sheet: RiskSheet, sum: Sum, rows: readonly Position[]): void {
  const first = rows[0];
  if (first === undefined) return;
  if (first.kind === 'future' || first.kind === 'option') {
    addContract(sheet, sum, rows, first);
  } else {
    for (const row of rows) sum.cash += sharesMargin(sheet, row);
  }
}

/** One contract over its products: the dearer of the world where all buys are filled and the one where all sells are. */
function addContract(sheet: RiskSheet, sum: Sum, rows: readonly Position[], { instrument, kind }: Position): void {
  let net = 0;
  let openBuy = 0;
  let openBuyAmount = 0;
  let openSell = 0;
  for (const row of rows) {
    net += netQuantity(row);
    openBuy += row.openBuyQuantity;
    openBuyAmount += row.openBuyAmount;
    openSell += row.openSellQuantity;
  }
  if (net === 0 && openBuy === 0 && openSell === 0) return;
  const risk = sheet.of(instrument);
  const most = net + openBuy;
  const least = net - openSell;
  const up = most > 0 ? most * (risk.longSpan + risk.longExposure) : -most * (risk.shortSpan + risk.shortExposure);
  const down = least > 0 ? least * (risk.longSpan + risk.longExposure) : -least * (risk.shortSpan + risk.shortExposure);
  const world = up >= down ? most : least;
  sum.span += Math.round(world > 0 ? world * risk.longSpan : -world * risk.shortSpan);
  sum.exposure += Math.round(world > 0 ? world * risk.longExposure : -world * risk.shortExposure);
  if (kind === 'option' && openBuy > 0) sum.premium += openingShare(openBuyAmount, openBuy, Math.max(0, -net));
}

/** The share of open orders' value that opens, when `closing` units of them close. Closing needs nothing. Source: R4.25, R4.28. */
function openingShare(amount: number, units: number, closing: number): Paise {
  const opening = units - closing;
  if (opening <= 0) return ZERO_PAISE;
  return closing === 0 ? (amount as Paise) : scaleHalfUp(amount as Paise, opening, units);
}

/** Shares: the full value of delivery buys, a fifth of the larger world of intraday rows. Source: market-rules R4.21 to R4.23. */
function sharesMargin(sheet: RiskSheet, row: Position): Paise {
  if (row.product === 'C') return row.openBuyAmount;
  const net = netQuantity(row);
  if (net === 0 && row.openBuyQuantity === 0 && row.openSellQuantity === 0) return ZERO_PAISE;
  const held = openAmount(row);
  const long = Math.max(0, net);
  const short = Math.max(0, -net);
  const bought = openingShare(row.openBuyAmount, row.openBuyQuantity, short);
  const sold = openingShare(sellValue(sheet, row), row.openSellQuantity, long);
  const up = net >= 0 ? held + bought : Math.max(bought, leftAfter(held, short, row.openBuyQuantity));
  const down = net <= 0 ? held + sold : Math.max(sold, leftAfter(held, long, row.openSellQuantity));
  return scaleHalfUp(Math.max(up, down) as Paise, INTRADAY_PERCENT, 100);
}

/** What the held quantity is worth after `closing` units of it are closed. */
function leftAfter(held: Paise, units: number, closing: number): number {
  return closing >= units ? 0 : scaleHalfUp(held, units - closing, units);
}

/** Open sells at their limits or the previous close, whichever is higher: a short may be filled far above a low limit. */
function sellValue(sheet: RiskSheet, row: Position): Paise {
  if (row.openSellQuantity === 0) return ZERO_PAISE;
  return Math.max(row.openSellAmount, row.openSellQuantity * sheet.of(row.instrument).price) as Paise;
}
