import { must } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import { type Paise, ZERO_PAISE } from '../../base/money.ts';
import type { MarginParts } from '../event.ts';
import type { Desk } from '../ports.ts';
import { netQuantity } from '../position.ts';
import type { Portfolio, Position } from '../state.ts';
import { openingShare } from './opening-share.ts';
import { type MeasuredWorld, PortfolioSums } from './portfolio-sums.ts';
import { type RiskSheet, riskSheet } from './risk-sheet.ts';
import { sharesMargin } from './shares-margin.ts';
import type { Quantities } from './worlds.ts';

const NO_ROWS: readonly Position[] = [];

/**
 * The margin of one portfolio from its positions and its open orders, in paise. `changed` rows stand in for the rows of the same instrument
 * and product, so that a wish can be measured without touching the books. Contracts need the largest of five worlds: what is held, that
 * with all open buys filled, or all open sells, or all orders of one direction; shares are measured row by row.
 * Source: market-rules R4.9, R4.13, R4.20, R4.27, R4.28.
 */
export function requirement(
  desk: Desk,
  portfolio: Portfolio | undefined,
  changed: readonly Position[] = NO_ROWS,
): MarginParts {
  const { span, exposure, premium } = explainRequirement(desk, portfolio, changed) ?? NOTHING;
  return { span, exposure, premium, cash: cashMargin(riskSheet(desk), portfolio, changed) };
}

const NOTHING = { span: ZERO_PAISE, exposure: ZERO_PAISE, premium: ZERO_PAISE };

/** The world that sets the margin of a portfolio's contracts; `undefined` when it has none. What is changed counts as in `requirement`. */
export function explainRequirement(
  desk: Desk,
  portfolio: Portfolio | undefined,
  changed: readonly Position[] = NO_ROWS,
): MeasuredWorld | undefined {
  const sums = contractSums(riskSheet(desk), portfolio, changed);
  if (sums === undefined) return undefined;
  change(sums, portfolio, changed);
  const found = dearest(sums);
  if (portfolio !== undefined && !sums.isExact) portfolio.sums = undefined;
  return found;
}

/** The world that needs most; what is held comes first among equals, so that an order that adds nothing shows nothing. */
function dearest(sums: PortfolioSums): MeasuredWorld {
  let found: MeasuredWorld | undefined;
  for (const world of sums.worlds()) {
    const margin = sums.measure(world);
    if (found === undefined || margin.total > found.total) found = margin;
  }
  return must(found, 'what is held is a world');
}

/** The sums of a portfolio's contracts as they are now; kept beside it, made anew when the figures are others. */
function contractSums(
  sheet: RiskSheet,
  portfolio: Portfolio | undefined,
  changed: readonly Position[],
): PortfolioSums | undefined {
  if (portfolio === undefined) return hasContract(changed) ? new PortfolioSums(sheet) : undefined;
  const { sums, touched, legs } = portfolio;
  if (sums?.sheet === sheet) {
    for (const id of touched) {
      if (!isChanged(changed, id)) sums.set(sums.leg(id), quantitiesOf(legs.get(id) ?? NO_ROWS, NO_ROWS));
    }
    touched.length = 0;
    return sums;
  }
  if (!hasContract(changed) && !holdsContract(portfolio)) return undefined;
  const made = new PortfolioSums(sheet);
  for (const [id, rows] of legs) if (hasContract(rows)) made.set(made.leg(id), quantitiesOf(rows, NO_ROWS));
  portfolio.sums = made;
  touched.length = 0;
  return made;
}

function isContract({ kind }: Position): boolean {
  return kind === 'future' || kind === 'option';
}

function hasContract(rows: readonly Position[]): boolean {
  for (const row of rows) if (isContract(row)) return true;
  return false;
}

function holdsContract({ legs }: Portfolio): boolean {
  for (const rows of legs.values()) if (hasContract(rows)) return true;
  return false;
}

/** Lets the changed contracts count as they would be, and notes them as touched: who asks next meets them as they are then. */
function change(sums: PortfolioSums, portfolio: Portfolio | undefined, changed: readonly Position[]): void {
  for (const row of changed) {
    const { instrument } = row;
    if (!isContract(row) || firstOf(changed, instrument) !== row) continue;
    sums.set(sums.leg(instrument), quantitiesOf(portfolio?.legs.get(instrument) ?? NO_ROWS, changed, instrument));
    portfolio?.touched.push(instrument);
  }
}

/** One contract over its products, the changed rows of `instrument` in the place of their own. */
function quantitiesOf(rows: readonly Position[], changed: readonly Position[], instrument?: InstrumentId): Quantities {
  const sum: Sum = { kind: undefined, net: 0, buys: 0, sells: 0, buyAmount: 0 };
  for (const row of changed) if (row.instrument === instrument) add(sum, row);
  for (const row of rows) if (!hasRow(changed, row)) add(sum, row);
  const { kind, net, buys, sells, buyAmount } = sum;
  const premium = buys > 0 && kind === 'option' ? openingShare(buyAmount, buys, Math.max(0, -net)) : 0;
  return { net, buys, sells, premium };
}

interface Sum {
  kind: Position['kind'] | undefined;
  net: number;
  buys: number;
  sells: number;
  buyAmount: number;
}

function add(sum: Sum, row: Position): void {
  sum.kind = row.kind;
  sum.net += netQuantity(row);
  sum.buys += row.openBuyQuantity;
  sum.sells += row.openSellQuantity;
  sum.buyAmount += row.openBuyAmount;
}

function cashMargin(sheet: RiskSheet, portfolio: Portfolio | undefined, changed: readonly Position[]): Paise {
  let sum = 0;
  const held = portfolio?.legs.get(portfolio.group) ?? NO_ROWS;
  for (const row of held) if (!hasRow(changed, row)) sum += sharesMargin(sheet, row);
  for (const row of changed) if (!isContract(row)) sum += sharesMargin(sheet, row);
  return sum as Paise;
}

function hasRow(rows: readonly Position[], { instrument, product }: Position): boolean {
  for (const row of rows) if (row.instrument === instrument && row.product === product) return true;
  return false;
}

function isChanged(rows: readonly Position[], instrument: InstrumentId): boolean {
  return firstOf(rows, instrument) !== undefined;
}

function firstOf(rows: readonly Position[], instrument: InstrumentId): Position | undefined {
  for (const row of rows) if (row.instrument === instrument) return row;
  return undefined;
}
