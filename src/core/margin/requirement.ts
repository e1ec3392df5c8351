import type { InstrumentId } from '../../base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../base/money.ts';
import type { MarginParts } from '../event.ts';
import type { Product } from '../order.ts';
import type { Desk } from '../ports.ts';
import { netQuantity } from '../position.ts';
import type { Portfolio, Position } from '../state.ts';
import { PER_PAISA, toPaise } from './fixed-point.ts';
import { openingShare } from './opening-share.ts';
import { PortfolioSums } from './portfolio-sums.ts';
import { type RiskSheet, riskSheet } from './risk-sheet.ts';
import { sharesMargin } from './shares-margin.ts';
import { EXPOSURE_PARTS, type WorldMargin } from './world-margin.ts';
import { type ContractLeg, WORLDS, type World } from './worlds.ts';

const NO_ROWS: readonly Position[] = [];

/**
 * The margin of one portfolio from its positions and its open orders, in paise. `changed` rows stand in for the rows of the same instrument
 * and product, so that a wish can be measured without touching the books. Contracts need the largest of three worlds: what is held, that
 * with all open buys filled, that with all open sells filled; shares are measured row by row.
 * Source: market-rules R4.9, R4.13, R4.20, R4.27, R4.28.
 */
export function requirement(
  desk: Desk,
  portfolio: Portfolio | undefined,
  changed: readonly Position[] = NO_ROWS,
): MarginParts {
  const sheet = riskSheet(desk);
  const cash = cashMargin(sheet, portfolio, changed);
  const sums = contractSums(sheet, portfolio, changed);
  if (sums === undefined) return { span: ZERO_PAISE, exposure: ZERO_PAISE, premium: ZERO_PAISE, cash };
  return whileChanged(sums, portfolio, changed, () => {
    const parts = dearest(sums).parts;
    return { ...parts, cash };
  });
}

/** The margin of one world with what it was computed from. */
export interface MeasuredWorld {
  readonly world: World;
  readonly margin: WorldMargin;
  readonly parts: Omit<MarginParts, 'cash'>;
  readonly total: Paise;
}

/** The world that sets the margin of a portfolio's contracts; `undefined` when it has none. What is changed counts as in `requirement`. */
export function explainRequirement(
  desk: Desk,
  portfolio: Portfolio | undefined,
  changed: readonly Position[] = NO_ROWS,
): MeasuredWorld | undefined {
  const sums = contractSums(riskSheet(desk), portfolio, changed);
  return sums && whileChanged(sums, portfolio, changed, () => dearest(sums));
}

/** The world that needs most; what is held comes first among equals, so that an order that adds nothing shows nothing. */
function dearest(sums: PortfolioSums): MeasuredWorld {
  let found = measured(sums, 'held');
  for (const world of WORLDS) {
    if (!sums.differs(world)) continue;
    const other = measured(sums, world);
    if (other.total > found.total) found = other;
  }
  return found;
}

function measured(sums: PortfolioSums, world: World): MeasuredWorld {
  const margin = sums.measure(world);
  const span = toPaise(margin.span, PER_PAISA);
  const exposure = toPaise(margin.exposure, EXPOSURE_PARTS);
  const { premium } = margin;
  return { world, margin, parts: { span, exposure, premium }, total: addPaise(addPaise(span, exposure), premium) };
}

/** The sums of a portfolio's contracts as they are now; kept beside it, made anew when the figures are others. */
function contractSums(
  sheet: RiskSheet,
  portfolio: Portfolio | undefined,
  changed: readonly Position[],
): PortfolioSums | undefined {
  if (portfolio === undefined) return changed.some(isContract) ? new PortfolioSums(sheet) : undefined;
  if (portfolio.sums?.sheet === sheet) {
    for (const id of portfolio.touched) portfolio.sums.set(id, legOf(portfolio.legs.get(id) ?? NO_ROWS));
  } else if (changed.some(isContract) || hasContracts(portfolio)) {
    portfolio.sums = new PortfolioSums(sheet);
    for (const [id, rows] of portfolio.legs) if (rows.some(isContract)) portfolio.sums.set(id, legOf(rows));
  } else {
    return undefined;
  }
  portfolio.touched.length = 0;
  return portfolio.sums;
}

function isContract({ kind }: Position): boolean {
  return kind === 'future' || kind === 'option';
}

function hasContracts({ legs }: Portfolio): boolean {
  for (const rows of legs.values()) if (rows.some(isContract)) return true;
  return false;
}

/** Runs `measure` with the changed contracts counted as they would be, and counts them as they are again. */
function whileChanged<T>(
  sums: PortfolioSums,
  portfolio: Portfolio | undefined,
  changed: readonly Position[],
  measure: () => T,
): T {
  const before: (readonly [InstrumentId, ContractLeg])[] = [];
  for (const row of changed) {
    const { instrument } = row;
    if (!isContract(row) || firstOf(changed, instrument) !== row) continue;
    before.push([instrument, sums.leg(instrument)]);
    sums.set(instrument, legOf(mergedRows(portfolio?.legs.get(instrument) ?? NO_ROWS, changed, instrument)));
  }
  const result = measure();
  for (const [id, leg] of before) sums.set(id, leg);
  return result;
}

/** One contract over its products. */
function legOf(rows: readonly Position[]): ContractLeg {
  let net = 0;
  let buys = 0;
  let sells = 0;
  let buyAmount = 0;
  for (const row of rows) {
    net += netQuantity(row);
    buys += row.openBuyQuantity;
    sells += row.openSellQuantity;
    buyAmount += row.openBuyAmount;
  }
  const premium = buys > 0 && rows[0]?.kind === 'option' ? openingShare(buyAmount, buys, Math.max(0, -net)) : 0;
  return { net, buys, sells, premium };
}

function cashMargin(sheet: RiskSheet, portfolio: Portfolio | undefined, changed: readonly Position[]): Paise {
  let sum = 0;
  const held = portfolio?.legs.get(portfolio.group) ?? NO_ROWS;
  for (const row of held) {
    if (!isContract(row) && !hasRow(changed, row)) sum += sharesMargin(sheet, row);
  }
  for (const row of changed) if (!isContract(row)) sum += sharesMargin(sheet, row);
  return sum as Paise;
}

function hasRow(rows: readonly Position[], { instrument, product }: Position): boolean {
  return rows.some((row) => row.instrument === instrument && row.product === product);
}

function firstOf(rows: readonly Position[], instrument: InstrumentId): Position | undefined {
  for (const row of rows) if (row.instrument === instrument) return row;
  return undefined;
}

function mergedRows(rows: readonly Position[], changed: readonly Position[], instrument: InstrumentId): Position[] {
  const merged = changed.filter((row) => row.instrument === instrument);
  for (const row of rows) if (!hasProduct(merged, row.product)) merged.push(row);
  return merged;
}

function hasProduct(rows: readonly Position[], product: Product): boolean {
  return rows.some((row) => row.product === product);
}
