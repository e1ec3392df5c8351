import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { must } from './base/assert.ts';
import { EXCHANGES, exchangeOf, type InstrumentId, instrumentId, type SymbolFile, tokenOf } from './base/ids.ts';
import type { Price } from './base/money.ts';
import { nameList } from './base/name-list.ts';
import { type EpochMs, formatIsoDay, type IstDay, istDay } from './base/time.ts';
import { type CorporateActions, NO_CORPORATE_ACTIONS } from './core/broker/corporate-action.ts';
import { NO_SHARE_BANDS, type ShareBands } from './core/market.ts';
import type { Ports } from './core/ports.ts';
import type { State } from './core/state.ts';
import { dateOfBegin, everyDaySettledAs } from './core/trading-days.ts';
import { makeFolder } from './durable-file.ts';
import type { ContractsOn } from './market/options/open-positions.ts';
import { calendarHours } from './market/session/sessions.ts';
import { FIRST_DAY, LAST_DAY } from './market/synthetic/span-of-days.ts';
import { SyntheticMarket, type SyntheticMarketTerms } from './market/synthetic/synthetic-market.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED } from './operator/cli.ts';
import type { DataFolder } from './operator/data-folder.ts';
import type { Identity, MarketName } from './operator/identity.ts';
import { filesBeside, type ImportedFile, readImportedFiles, writeImportedFiles } from './operator/imported-files.ts';
import { SpanStore } from './operator/span-store.ts';
import type { ActionSource } from './reference/corporate-actions/announced-actions.ts';
import type { ImportedRow, LineError } from './reference/instruments/instrument-row.ts';
import { loadMarketData, type MarketData, type MasterOptions, readImport } from './reference/instruments/load.ts';
import { parseMasterCsv } from './reference/instruments/master-csv.ts';
import { representationName } from './reference/instruments/representation-name.ts';
import { symbolLines } from './reference/instruments/symbol-file.ts';
import { SpanReader } from './reference/span/span-reader.ts';

/** The facts that the market and the instruments are made from. */
const FACTS = fileURLToPath(new URL('../data', import.meta.url));

/** The state of the service; nothing before it is recovered. */
export interface KnownState {
  state: State | undefined;
}

/** What the market and the master know of companies. */
function actionsOf({ state }: KnownState): CorporateActions {
  return state?.corporateActions ?? NO_CORPORATE_ACTIONS;
}

/** What the market knows of the bands that operators gave to shares. */
function shareBandsOf({ state }: KnownState): ShareBands {
  return state?.shareBands ?? NO_SHARE_BANDS;
}

/** What decisions may look at. */
export function portsOf({ instruments, market, margins, guards, days, charges, spanFiles }: Trade): Ports {
  return { instruments, market, margins, guards, days, charges, spanFiles };
}

export type Trade = ReturnType<typeof openMarket>;

/** How the market of a name is opened, and how the wire calls it. Source: contract W29. */
const MARKETS = {
  synthetic: { label: 'simulated', open: (terms: SyntheticMarketTerms) => new SyntheticMarket(terms) },
} as const satisfies Record<MarketName, object>;

/** The market of an identity, and the instruments that trade on it. Strikes are listed around its closes. */
export function openMarket(folder: DataFolder, identity: Identity, known: KnownState) {
  const data = loadMarketData(FACTS);
  const imported = importedRows(data, readImportedFiles(folder.instruments), EXIT_CONFIG);
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => market.closeOn(id, day, asOf);
  const actions: ActionSource = () => actionsOf(known);
  const { seed, hours: regime } = identity;
  const { label, open } = MARKETS[identity.market];
  const days = regime === 'exchange' ? data.days : everyDaySettledAs(data.days);
  const instruments = data.master({ closeOf, actions, beginOf: (day) => dateOfBegin(days, day), ...imported });
  const calendar = calendarHours(data);
  const shareBands = (): ShareBands => shareBandsOf(known);
  const { facts } = data;
  const contractsOn: ContractsOn = (underlying, at) => instruments.contractsOn(underlying, at);
  const market = open({
    seed,
    regime,
    instruments,
    facts,
    calendar,
    actions,
    shareBands,
    contractsOn,
  });
  const spanFiles = new SpanStore(folder.spanFiles, () => new SpanReader());
  return {
    instruments,
    market,
    marketLabel: label,
    days,
    charges: data.charges,
    margins: data.margins,
    guards: data.guards,
    spanFiles,
    symbolLines: (file: SymbolFile, at: EpochMs): Iterable<string> => instruments.symbolLines(file, at),
    representationName,
  };
}

/** True when the market has a price for its first instrument at this moment. */
export function marketMoves({ instruments, market }: Trade, now: EpochMs): boolean {
  const [first] = instruments.list('NSE', now);
  return first !== undefined && market.lastPrint(first.id, market.tickAt(now)).price > 0;
}

/** The time of a journal never goes back, and it is led through every day: it must not begin at the beginning of all clocks. Source: reliability F14. */
export function expectRightClock(now: EpochMs): void {
  const today = istDay(now);
  if (today >= FIRST_DAY && today <= LAST_DAY) return;
  const history = `${formatIsoDay(FIRST_DAY)} to ${formatIsoDay(LAST_DAY)}`;
  throw new CommandFailed(
    `the clock of this machine says ${formatIsoDay(today)}, and the market is there from ${history}: set the clock first`,
    EXIT_CONFIG,
  );
}

/** The rows of imported files. */
type ImportedRows = Required<Pick<MasterOptions, 'imported' | 'delisted'>>;

/**
 * The rows of all files that were imported, as a start reads them. They must fit each other and the built-in master of this build; otherwise
 * it throws with `exitCode`.
 */
function importedRows(data: MarketData, files: readonly ImportedFile[], exitCode: number): ImportedRows {
  if (files.length === 0) return { imported: [], delisted: [] };
  const builtIn = data.master();
  const readAll = (chosen: readonly ImportedFile[], read: (text: string) => ReturnType<typeof readImport>) =>
    chosen.flatMap(({ exchanges, text }) => {
      const rows = read(text);
      if (rows.ok) return rows.value;
      throw new CommandFailed(faultsText(`the imported file of ${exchanges.join(', ')}`, rows.error), exitCode);
    });
  const listed = files.filter(({ delisted }) => delisted !== true);
  const others = readAll(listed, parseMasterCsv);
  return {
    imported: readAll(listed, (text) => readImport(text, builtIn, others)),
    delisted: readAll(
      files.filter(({ delisted }) => delisted === true),
      parseMasterCsv,
    ),
  };
}

/** What an import needs of its surroundings. */
export interface ImportPorts {
  readonly now: () => EpochMs;
  /** Does work while no other import does any: what it read is still so when it writes. */
  readonly alone: (folder: DataFolder, work: () => string) => string;
}

/** Checks a symbol file whole, beside those that stay, and keeps it for the next start. What it leaves out of an earlier one is delisted. */
export async function importInstruments(folder: DataFolder, file: string, around: ImportPorts): Promise<string> {
  const text = readFileSync(file, 'utf8');
  makeFolder(folder.folder);
  return around.alone(folder, () => takeOver(folder, { file, text }, around.now()));
}

function takeOver(folder: DataFolder, { file, text }: { readonly file: string; readonly text: string }, now: EpochMs) {
  const data = loadMarketData(FACTS);
  const files = readImportedFiles(folder.instruments);
  const before = importedRows(data, files, EXIT_CONFIG);
  const read = readImport(text, data.master(), before.imported);
  if (!read.ok) throw new CommandFailed(faultsText(file, read.error), EXIT_FAILED);
  const exchanges = [...new Set(read.value.map((row) => row.exchange))];
  const staying = filesBeside(
    files.filter(({ delisted }) => delisted !== true),
    exchanges,
  );
  if (!staying.ok) throw new CommandFailed(staying.error, EXIT_FAILED);
  const listed = [...staying.value, { exchanges, text }];
  const { imported } = importedRows(data, listed, EXIT_FAILED);
  writeImportedFiles(folder.instruments, [...listed, ...delistedFiles(data, before, imported, istDay(now))]);
  return `${read.value.length} instruments of ${exchanges.join(', ')} are taken over. The next start uses them.`;
}

/** Contracts that expired earlier are forgotten: the history of orders keeps a week, and a service may be off for a while. */
const DELISTED_DAYS = 30;

/** What was known before and is not among the rows now, in symbol files of our own form. */
function delistedFiles(
  data: MarketData,
  before: ImportedRows,
  now: readonly ImportedRow[],
  today: IstDay,
): readonly ImportedFile[] {
  const known = new Set(now.map(({ exchange, token }) => instrumentId(exchange, token)));
  const master = data.master(before);
  const gone = [...before.imported, ...before.delisted].flatMap(({ exchange, token, contract }) => {
    const id = instrumentId(exchange, token);
    if (known.has(id) || (contract !== undefined && contract.expiryDay < today - DELISTED_DAYS)) return [];
    return [must(master.get(id), 'what was imported is known')];
  });
  return EXCHANGES.flatMap((exchange) => {
    const own = gone.filter((instrument) => instrument.exchange === exchange);
    const lines = (): string => [...symbolLines(exchange, own), ''].join('\n');
    return own.length === 0 ? [] : [{ exchanges: [exchange], text: lines(), delisted: true }];
  });
}

/** Refuses to go on with instruments that lack one which the state or the kept history names. */
export function expectInstruments({ instruments }: Trade, folder: DataFolder, named: ReadonlySet<InstrumentId>): void {
  const missing = [...named].filter((id) => instruments.get(id) === undefined);
  if (missing.length === 0) return;
  const names = missing.map((id) => `${exchangeOf(id)} ${tokenOf(id)}`);
  throw new CommandFailed(
    `no instrument has the token ${nameList(names)}, and orders, positions, holdings or settings are in it: ` +
      `restore ${folder.instruments}, or import a symbol file that has it`,
    EXIT_CONFIG,
  );
}

function faultsText(file: string, faults: readonly LineError[]): string {
  return [`${file} is not taken over:`, ...faults.map(({ line, reason }) => `  line ${line}: ${reason}`)].join('\n');
}
