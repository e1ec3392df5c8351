/**
 * The figures of margins by day. A row holds from its day until a later row for the same key; the earliest one holds
 * before too, but a fund that follows a broad index does so from its day on only. Margins are reckoned in
 * `core/margin`. Source: market-rules R0.9 (`span_param`, `cash_margin`), R4.1 to R4.22, R4.38.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, must } from '../../base/assert.ts';
import type { IstDay } from '../../base/time.ts';
import type {
  ContractRates,
  DeliveryRates,
  GroupRates,
  MarginRates,
  MarginTable,
  VarGroup,
} from '../../core/margin/rates/margin-rates.ts';
import { type DataRow, readTable } from './data-table.ts';
import { ByChange, byKey, type Dated, effectiveOn } from './dated.ts';

const KINDS = ['index', 'stock'] as const;
const VAR_GROUPS: readonly VarGroup[] = ['first', 'second', 'third', 'tradeForTrade', 'broadIndexFund'];
const DELIVERY_ITEMS = ['longOption', 'ofNormal', 'ofValue'] as const;
type DeliveryItem = (typeof DELIVERY_ITEMS)[number];
const ANY = '*';

/** The files that the figures of margins stand in. */
export interface MarginFiles {
  /** `rules/span-parameters.csv`: by underlying, `*` for the others of its kind. */
  readonly span: readonly DataRow[];
  /** `rules/delivery-margin.csv` */
  readonly delivery: readonly DataRow[];
  /** `rules/cash-margin.csv`: by group of shares. */
  readonly cash: readonly DataRow[];
  /** `rules/var-groups.csv`: the group of each series, `*` for the others. */
  readonly series: readonly DataRow[];
  /** `rules/broad-index-funds.csv` */
  readonly funds: readonly DataRow[];
}

type Entry<T> = Dated & { readonly key: string; readonly value: T };
type Entries<T> = ReadonlyMap<string, readonly Entry<T>[]>;

export class MarginRateTable implements MarginTable {
  private readonly span: Entries<ContractRates>;
  private readonly delivery: Entries<number>;
  private readonly cash: Entries<GroupRates>;
  private readonly series: Entries<VarGroup>;
  private readonly funds: ReadonlyMap<string, IstDay>;
  private readonly byChange: ByChange<MarginRates>;

  constructor(files: MarginFiles) {
    this.span = entriesOf(files.span, (row) => `${row.oneOf('group', KINDS)} ${row.text('underlying')}`, contractRates);
    this.delivery = entriesOf(
      files.delivery,
      (row) => deliveryKey(row.oneOf('item', DELIVERY_ITEMS), row.number('days_left')),
      (row) => row.number('percent'),
    );
    this.cash = entriesOf(files.cash, (row) => row.oneOf('group', VAR_GROUPS), groupRates);
    this.series = entriesOf(
      files.series,
      (row) => row.text('series'),
      (row) => row.oneOf('group', VAR_GROUPS),
    );
    this.funds = new Map(files.funds.map((row) => [row.text('isin'), row.day('from')]));
    assert(this.funds.size === files.funds.length, 'a fund follows one index');
    const days = Object.values(files).flatMap((rows: readonly DataRow[]) => rows.map((row) => row.day('from')));
    this.byChange = new ByChange(days, (day) => this.build(day));
  }

  on(day: IstDay): MarginRates {
    return this.byChange.on(day);
  }

  private build(day: IstDay): MarginRates {
    const span = valuesOn(this.span, day);
    const cash = valuesOn(this.cash, day);
    const series = valuesOn(this.series, day);
    for (const kind of KINDS) must(span.get(`${kind} ${ANY}`), `no margin of each ${kind}`);
    for (const group of VAR_GROUPS) must(cash.get(group), `no margin of the group ${group}`);
    const others = must(series.get(ANY), 'no group of the other series');
    return {
      delivery: deliveryRates(valuesOn(this.delivery, day)),
      contracts: ({ symbol, underlyingKind }) => {
        const kind = underlyingKind === 'index' ? 'index' : 'stock';
        return must(span.get(`${kind} ${symbol}`) ?? span.get(`${kind} ${ANY}`), 'every kind has its margin');
      },
      group: (name) => must(cash.get(name), 'every group has its margin'),
      groupOfSeries: (name) => series.get(name) ?? others,
      isBroadIndexFund: (isin) => {
        const from = this.funds.get(isin);
        return from !== undefined && from <= day;
      },
    };
  }
}

/**
 * Reads the figures of margins of a data folder. Throws when a file is missing or a cell is not what its column says.
 */
export function loadMargins(dataFolder: string): MarginTable {
  const table = (name: string) => readTable(name, readFileSync(join(dataFolder, 'rules', name), 'utf8'));
  return new MarginRateTable({
    span: table('span-parameters.csv'),
    delivery: table('delivery-margin.csv'),
    cash: table('cash-margin.csv'),
    series: table('var-groups.csv'),
    funds: table('broad-index-funds.csv'),
  });
}

function entriesOf<T>(
  rows: readonly DataRow[],
  keyOf: (row: DataRow) => string,
  read: (row: DataRow) => T,
): Entries<T> {
  const entries = rows.map((row) => ({ key: keyOf(row), from: row.day('from'), value: read(row) }));
  return byKey(entries, ({ key }) => key);
}

function valuesOn<T>(entries: Entries<T>, day: IstDay): ReadonlyMap<string, T> {
  return new Map(Array.from(entries, ([key, dated]) => [key, effectiveOn(dated, day).value]));
}

function contractRates(row: DataRow): ContractRates {
  return {
    priceFloor: basisPoints(row, 'price_floor'),
    longDatedPriceFloor: basisPoints(row, 'long_price_floor'),
    volatilityFloor: basisPoints(row, 'volatility_floor'),
    calendarRate: basisPoints(row, 'calendar'),
    spreadsOnExpiryDay: row.oneOf('expiry_day_spread', ['yes', 'no']) === 'yes',
    exposure: basisPoints(row, 'exposure'),
    farFrom: basisPoints(row, 'far_from'),
    farExposure: basisPoints(row, 'far_exposure'),
    longDatedExposure: basisPoints(row, 'long_exposure'),
    expiryDayExposure: basisPoints(row, 'expiry_day_exposure'),
  };
}

function groupRates(row: DataRow): GroupRates {
  return {
    deviations: row.number('deviations'),
    valueAtRisk: basisPoints(row, 'var'),
    extremeLoss: basisPoints(row, 'elm'),
    intraday: basisPoints(row, 'intraday'),
  };
}

/** The steps of long options from the day of expiry back, without a gap. */
function deliveryRates(percent: ReadonlyMap<string, number>): DeliveryRates {
  const of = (item: DeliveryItem, daysLeft = 0): number | undefined => percent.get(deliveryKey(item, daysLeft));
  const longOption: number[] = [];
  for (let share = of('longOption'); share !== undefined; share = of('longOption', longOption.length)) {
    longOption.push(share);
  }
  assert(longOption.length === percent.size - 2, 'delivery margins have a gap');
  return {
    longOption,
    ofNormal: must(of('ofNormal'), 'no part of the normal margin for the day of expiry'),
    ofValue: must(of('ofValue'), 'no part of the value for the day of expiry'),
  };
}

function deliveryKey(item: DeliveryItem, daysLeft: number): string {
  return `${item} ${daysLeft}`;
}

/** Per cent with at most two decimals, as whole basis points. */
function basisPoints(row: DataRow, column: string): number {
  const points = Math.round(row.number(column) * 100);
  assert(points / 100 === row.number(column), `${column} is finer than a basis point`);
  return points;
}
