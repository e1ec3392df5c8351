/**
 * The facts of indices and shares that the market's prices start from: reference price, volatility, volume, sector,
 * weights and open positions. A BSE share without figures of its own has those of its NSE twin. Prices themselves are
 * drawn in `market`.
 */
import { must } from '../../base/assert.ts';
import { type InstrumentId, instrumentId } from '../../base/ids.ts';
import { type Price, price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import { CASH_EXCHANGES, type CashExchange } from '../calendar/trading-calendar.ts';
import type { DataRow } from '../rules/data-table.ts';
import type { CashFacts, Constituent, ContractFacts, MarketFacts } from './facts.ts';
import type { ImportedRow } from './instrument-row.ts';

const OTHER_SECTOR = 'OTHER';
const INDEX_SECTOR = 'MARKET';
/** The facts that an imported index or share starts from when the data folder does not know it. */
const UNKNOWN = {
  reference: price(10_000),
  volatility: 0.4,
  dayVolume: 50_000,
  sector: OTHER_SECTOR,
  beta: 1,
} as const;

/** The tables of the data folder that facts come from. */
export interface FactTables {
  readonly indices: readonly DataRow[];
  readonly nse: readonly DataRow[];
  readonly bse: readonly DataRow[];
  readonly weights: readonly DataRow[];
  /** Of shares of NSE with contracts. */
  readonly openInterest: readonly DataRow[];
}

export class KnownFacts implements MarketFacts {
  /** The last day of the closes on record: the one that undated levels are taken for. */
  readonly lastDay: IstDay;
  private readonly facts = new Map<InstrumentId, CashFacts>();
  private readonly twins = new Map<InstrumentId, InstrumentId>();
  private readonly constituents = new Map<InstrumentId, readonly Constituent[]>();

  constructor(tables: FactTables) {
    this.lastDay = lastClose([...tables.indices, ...tables.nse, ...tables.bse]);
    for (const row of tables.indices) this.addIndex(row);
    const contracts = new Map(tables.openInterest.map((row) => [idOf('NSE', row), contractFacts(row)]));
    for (const row of tables.nse) {
      const id = idOf('NSE', row);
      const own = contracts.get(id);
      const facts = this.equityFacts(row, row, row.text('sector'));
      this.facts.set(id, own === undefined ? facts : { ...facts, contracts: own });
    }
    for (const row of tables.bse) this.addBse(row);
    for (const [index, members] of readWeights(tables.weights)) this.constituents.set(index, normalised(members));
  }

  factsOf(id: InstrumentId): CashFacts | undefined {
    return this.facts.get(id);
  }

  constituentsOf(indexId: InstrumentId): readonly Constituent[] {
    return this.constituents.get(indexId) ?? [];
  }

  /** Everything that an index is made of. */
  members(): ReadonlySet<InstrumentId> {
    return new Set([...this.constituents.values()].flatMap((members) => members.map(({ id }) => id)));
  }

  twinOf(id: InstrumentId): InstrumentId | undefined {
    return this.twins.get(id);
  }

  /** The reference close; it must be known. */
  referenceOf(id: InstrumentId): Price {
    return must(this.facts.get(id), `no reference close of ${id}`).reference;
  }

  /** Gives imported indices and shares that are not in the data folder the facts of an unknown. */
  addImported(rows: readonly ImportedRow[]): void {
    for (const row of rows) {
      const id = instrumentId(row.exchange, row.token);
      if (!row.contract && !this.facts.has(id)) this.facts.set(id, { ...UNKNOWN, referenceDay: this.lastDay });
    }
  }

  private addIndex(row: DataRow): void {
    this.facts.set(idOf(row.oneOf('exchange', CASH_EXCHANGES), row), {
      reference: row.price('level'),
      referenceDay: row.optionalDay('closed') ?? this.lastDay,
      volatility: row.number('volatility'),
      dayVolume: 0,
      sector: INDEX_SECTOR,
      beta: row.number('beta'),
    });
  }

  private addBse(row: DataRow): void {
    const id = idOf('BSE', row);
    const twin = row.text('nseToken') === '' ? undefined : instrumentId('NSE', row.number('nseToken'));
    const twinFacts = twin === undefined ? undefined : this.facts.get(twin);
    if (twin === undefined || !twinFacts) {
      this.facts.set(id, this.equityFacts(row, row, ''));
      return;
    }
    const { volatility, beta, sector, contracts } = twinFacts;
    const facts = { ...this.equityFacts(row, undefined, sector), volatility, beta };
    this.facts.set(id, contracts === undefined ? facts : { ...facts, contracts });
    this.twins.set(id, twin);
    this.twins.set(twin, id);
  }

  private equityFacts(row: DataRow, figures: DataRow | undefined, sector: string): CashFacts {
    return {
      reference: row.price('close'),
      referenceDay: row.optionalDay('closed') ?? this.lastDay,
      volatility: figures?.number('volatility') ?? UNKNOWN.volatility,
      dayVolume: row.number('volume'),
      sector: sector === '' ? OTHER_SECTOR : sector,
      beta: figures?.number('beta') ?? UNKNOWN.beta,
    };
  }
}

function contractFacts(row: DataRow): ContractFacts {
  return { delivered: row.number('delivered'), openDays: row.number('openDays') };
}

function idOf(exchange: CashExchange, row: DataRow): InstrumentId {
  return instrumentId(exchange, row.number('token'));
}

function lastClose(rows: readonly DataRow[]): IstDay {
  let last = 0 as IstDay;
  for (const row of rows) {
    const closed = row.optionalDay('closed');
    if (closed !== undefined && closed > last) last = closed;
  }
  return last;
}

function readWeights(rows: readonly DataRow[]): Map<InstrumentId, Constituent[]> {
  const weights = new Map<InstrumentId, Constituent[]>();
  for (const row of rows) {
    const exchange = row.oneOf('exchange', CASH_EXCHANGES);
    const index = instrumentId(exchange, row.number('index'));
    const members = weights.get(index) ?? [];
    members.push({ id: idOf(exchange, row), weight: row.number('weight') });
    weights.set(index, members);
  }
  return weights;
}

/** The members by falling weight, their weights summing to 1. */
function normalised(members: readonly Constituent[]): readonly Constituent[] {
  const total = members.reduce((sum, member) => sum + member.weight, 0);
  return members
    .map(({ id, weight }) => ({ id, weight: weight / total }))
    .sort((a, b) => b.weight - a.weight || a.id - b.id);
}
