/**
 * The entry to margins: the requirement of one portfolio, as it is or with changed rows, and the explanation of its
 * dearest world. The sums behind it are in `portfolio-sums.ts` and `shares-margin.ts`.
 */

import type { InstrumentId } from '../../base/ids.ts';
import { type Paise, ZERO_PAISE } from '../../base/money.ts';
import type { Portfolio, Position } from '../account.ts';
import type { MarginParts } from '../event.ts';
import type { DecisionPorts } from '../ports.ts';
import { netQuantity } from '../position.ts';
import type { MeasuredWorld } from './measured-world.ts';
import { NO_LEG } from './offset-group.ts';
import { PortfolioSums } from './portfolio-sums.ts';
import { openingShare } from './rates/opening-share.ts';
import { riskSheet } from './risk-sheet.ts';
import { sharesMargin } from './shares-margin.ts';
import type { WorldMargin } from './world-margin.ts';
import { NONE, type Quantities, WORLDS, type WorldName } from './worlds.ts';

const NO_ROWS: readonly Position[] = [];

/**
 * The margin of one portfolio from its positions and its open orders, in paise. `changed` rows stand in for the rows of
 * the same instrument and product, so that a wish can be measured without a change of the books. Contracts need the
 * largest of the worlds: the held positions; these with all open buys filled, with all open sells filled, or with all
 * orders of one direction filled; and these with a part of the open orders of one contract filled. Another of them may
 * need more where premium received pays its premium: `floor` holds what it needs more. Shares are measured row by row.
 * `loose`: the contracts whose changed rows may differ from those of the last measure with the same list of rows, so
 * that a trial of many orders costs the work of those that changed; the contracts that are counted are taken out of it.
 * Absent: any of them may. Source: market-rules R4.9, R4.13, R4.20, R4.27, R4.28.
 */
export function requirement(
  ports: DecisionPorts,
  portfolio: Portfolio | undefined,
  changed: readonly Position[] = NO_ROWS,
  loose?: InstrumentId[],
): MarginParts {
  const cash = cashMargin(ports, portfolio, changed);
  const last = lastContract(changed);
  const sums = contractSums(ports, portfolio, changed, last, loose);
  if (sums === undefined) return { span: ZERO_PAISE, exposure: ZERO_PAISE, premium: ZERO_PAISE, cash };
  const found = last === undefined ? sums.dearest() : sums.dearest(sums.leg(last), wouldBe(portfolio, changed, last));
  const { span, exposure, premium, unpaid } = found;
  const floor = (unpaid - span - exposure) as Paise;
  return floor > 0 ? { span, exposure, premium, cash, floor } : { span, exposure, premium, cash };
}

/** A measured world by its name, with the figures that it was computed from. */
export interface ExplainedWorld extends Omit<MeasuredWorld, 'world' | 'part' | 'unpaid'> {
  readonly world: WorldName;
  readonly margin: WorldMargin;
}

/**
 * The world that sets the margin of a portfolio's contracts; `undefined` when it has none. Changed rows count as in
 * `requirement`.
 */
export function explainRequirement(
  ports: DecisionPorts,
  portfolio: Portfolio | undefined,
  changed: readonly Position[] = NO_ROWS,
): ExplainedWorld | undefined {
  const last = lastContract(changed);
  const sums = contractSums(ports, portfolio, changed, last);
  if (sums === undefined) return undefined;
  const leg = last === undefined ? NO_LEG : sums.leg(last);
  const after = last === undefined ? NONE : wouldBe(portfolio, changed, last);
  const found = sums.dearest(leg, after);
  const { world, part, span, exposure, premium, total } = found;
  const name = part === undefined ? WORLDS[world] : 'part';
  return { world: name, span, exposure, premium, total, margin: sums.explain(found, leg, after) };
}

/**
 * True when the calendar charge of the held contracts turns while `units` more of a contract trade, below 0 when sold.
 * Changed rows and `loose` count as in `requirement`. Source: market-rules R4.7.
 */
export function calendarTurns(
  ports: DecisionPorts,
  portfolio: Portfolio | undefined,
  instrument: InstrumentId,
  units: number,
  changed: readonly Position[] = NO_ROWS,
  loose?: InstrumentId[],
): boolean {
  const sums = contractSums(ports, portfolio, changed, instrument, loose);
  if (sums === undefined) return false;
  const leg = sums.leg(instrument);
  return sums.turnsWithin(leg, wouldBe(portfolio, changed, instrument), units);
}

function wouldBe(portfolio: Portfolio | undefined, changed: readonly Position[], instrument: InstrumentId): Quantities {
  return quantitiesOf(portfolio?.legs.get(instrument) ?? NO_ROWS, changed, instrument);
}

/**
 * The sums of a portfolio's contracts, with the changed contracts but `last` as they would be; `undefined` when there
 * are no contracts. That one is only measured, so a single order leaves the sums as they are. The others stay counted
 * for the next measure of the same trial; any other caller gets them from the books again.
 */
function contractSums(
  ports: DecisionPorts,
  portfolio: Portfolio | undefined,
  changed: readonly Position[],
  last: InstrumentId | undefined,
  loose?: InstrumentId[],
): PortfolioSums | undefined {
  if (portfolio === undefined) {
    if (last === undefined) return undefined;
    const sums = new PortfolioSums(riskSheet(ports));
    countChanged(sums, portfolio, changed, last);
    return sums;
  }
  const sums = keptSums(ports, portfolio, last);
  if (sums === undefined) return undefined;
  if (loose !== undefined && sums.trial === changed) {
    countTouched(sums, portfolio, changed, loose);
    countLoose(sums, portfolio, changed, last, loose);
  } else {
    if (sums.tried.length > 0) giveBack(sums, portfolio);
    countTouched(sums, portfolio);
    countChanged(sums, portfolio, changed, last);
    if (loose !== undefined) keepOnly(loose, last);
    sums.trial = loose !== undefined && sums.tried.length > 0 ? changed : undefined;
  }
  if (!sums.isExact) portfolio.sums = undefined;
  return sums;
}

/** The sums that are kept beside the portfolio. They are made again when the figures change. */
function keptSums(
  ports: DecisionPorts,
  portfolio: Portfolio,
  last: InstrumentId | undefined,
): PortfolioSums | undefined {
  const { sums, touched, legs } = portfolio;
  if (sums?.sheet.isOf(ports)) return sums;
  if (last === undefined && legs.size === 0) return undefined;
  const made = new PortfolioSums(riskSheet(ports));
  for (const [id, rows] of legs) made.set(made.leg(id), quantitiesOf(rows, NO_ROWS));
  portfolio.sums = made;
  touched.length = 0;
  return made;
}

/** Lets a contract count as it stands in the books. */
function countBooked(sums: PortfolioSums, { legs }: Portfolio, id: InstrumentId): void {
  sums.set(sums.leg(id), quantitiesOf(legs.get(id) ?? NO_ROWS, NO_ROWS));
}

/** Counts what the books have changed since. A contract of the trial that goes on is loose then. */
function countTouched(
  sums: PortfolioSums,
  portfolio: Portfolio,
  changed: readonly Position[] = NO_ROWS,
  loose?: InstrumentId[],
): void {
  const { touched } = portfolio;
  if (touched.length === 0) return;
  for (const id of touched) {
    countBooked(sums, portfolio, id);
    if (firstOf(changed, id) !== undefined) loose?.push(id);
  }
  touched.length = 0;
}

function giveBack(sums: PortfolioSums, portfolio: Portfolio): void {
  for (const id of sums.tried) countBooked(sums, portfolio, id);
  sums.tried.length = 0;
}

function countChanged(
  sums: PortfolioSums,
  portfolio: Portfolio | undefined,
  changed: readonly Position[],
  last: InstrumentId | undefined,
): void {
  for (const row of changed) {
    const { instrument } = row;
    if (instrument === last || !isContract(row) || firstOf(changed, instrument) !== row) continue;
    sums.set(sums.leg(instrument), wouldBe(portfolio, changed, instrument));
    sums.tried.push(instrument);
  }
}

function countLoose(
  sums: PortfolioSums,
  portfolio: Portfolio,
  changed: readonly Position[],
  last: InstrumentId | undefined,
  loose: InstrumentId[],
): void {
  for (const id of loose) {
    if (id === last) continue;
    sums.set(sums.leg(id), wouldBe(portfolio, changed, id));
    sums.tried.push(id);
  }
  keepOnly(loose, loose.includes(last as InstrumentId) ? last : undefined);
}

function keepOnly(loose: InstrumentId[], one: InstrumentId | undefined): void {
  loose.length = 0;
  if (one !== undefined) loose.push(one);
}

function lastContract(rows: readonly Position[]): InstrumentId | undefined {
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const row = rows[i] as Position;
    if (isContract(row)) return row.instrument;
  }
  return undefined;
}

/** True for a position in a future or an option: the others are shares. */
export function isContract({ kind }: Pick<Position, 'kind'>): boolean {
  return kind === 'future' || kind === 'option';
}

/** One contract over its products, the changed rows of `instrument` in the place of their own. */
function quantitiesOf(rows: readonly Position[], changed: readonly Position[], instrument?: InstrumentId): Quantities {
  const sum: Sum = { net: 0, buys: 0, sells: 0, premium: 0 };
  for (const row of changed) if (row.instrument === instrument) add(sum, row);
  for (const row of rows) if (!hasRow(changed, row)) add(sum, row);
  if (sum.premium > 0) sum.premium = openingShare(sum.premium, sum.buys, Math.max(0, -sum.net));
  return sum;
}

/** Quantities that rows are added to; the premium is that of all open buys as long. */
type Sum = { -readonly [Name in keyof Quantities]: Quantities[Name] };

function add(sum: Sum, row: Position): void {
  sum.net += netQuantity(row);
  sum.buys += row.openBuyQuantity;
  sum.sells += row.openSellQuantity;
  if (row.kind === 'option') sum.premium += row.openBuyAmount;
}

function cashMargin(ports: DecisionPorts, portfolio: Portfolio | undefined, changed: readonly Position[]): Paise {
  let sum = 0;
  const held = portfolio?.shares ?? NO_ROWS;
  for (const row of held) if (!hasRow(changed, row)) sum += sharesMargin(ports, row);
  for (const row of changed) if (!isContract(row)) sum += sharesMargin(ports, row);
  return sum as Paise;
}

function hasRow(rows: readonly Position[], { instrument, product }: Position): boolean {
  for (const row of rows) if (row.instrument === instrument && row.product === product) return true;
  return false;
}

function firstOf(rows: readonly Position[], instrument: InstrumentId): Position | undefined {
  for (const row of rows) if (row.instrument === instrument) return row;
  return undefined;
}
