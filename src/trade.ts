import { fileURLToPath } from 'node:url';
import type { InstrumentId, SymbolFile } from './base/ids.ts';
import type { Price } from './base/money.ts';
import type { EpochMs, IstDay } from './base/time.ts';
import { type CorporateActions, NO_CORPORATE_ACTIONS } from './core/broker/corporate-action.ts';
import { NO_SHARE_BANDS, type ShareBands } from './core/market.ts';
import type { Ports } from './core/ports.ts';
import type { State } from './core/state.ts';
import { EVERY_DAY } from './core/trading-days.ts';
import { makeFolder, readIfPresent } from './durable-file.ts';
import type { ActionSource } from './market/corporate-actions/announced-actions.ts';
import type { ImportedRow, LineError } from './market/instruments/instrument-row.ts';
import { loadMarketData, type MarketData, readImport } from './market/instruments/load.ts';
import { representationName } from './market/instruments/representation-name.ts';
import { SpanReader } from './market/span/span-reader.ts';
import { calendarHours } from './market/synthetic/sessions.ts';
import { SyntheticMarket } from './market/synthetic/synthetic-market.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED } from './operator/cli.ts';
import type { DataFolder } from './operator/data-folder.ts';
import type { Identity } from './operator/identity.ts';
import { filesBeside, readImportedFiles, writeImportedFiles } from './operator/imported-files.ts';
import { SpanStore } from './operator/span-store.ts';

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
export function portsOf({ instruments, market, days, charges, spanFiles }: Trade): Ports {
  return { instruments, market, days, charges, spanFiles };
}

export type Trade = ReturnType<typeof openMarket>;

/** The market of an identity, and the instruments that trade on it. Strikes are listed around its closes. */
export function openMarket(folder: DataFolder, identity: Identity, known: KnownState) {
  const data = loadMarketData(FACTS);
  const imported = importedRows(data, folder);
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => market.closeOn(id, day, asOf);
  const actions: ActionSource = () => actionsOf(known);
  const instruments = data.master({ closeOf, actions, imported });
  const { seed, hours: regime } = identity;
  const calendar = calendarHours(data);
  const shareBands = (): ShareBands => shareBandsOf(known);
  const market = new SyntheticMarket({ seed, regime, instruments, facts: data.facts, calendar, actions, shareBands });
  const symbolLines = (file: SymbolFile, at: EpochMs): Iterable<string> => instruments.symbolLines(file, at);
  const days = regime === 'exchange' ? data.days : EVERY_DAY;
  const spanFiles = new SpanStore(folder.spanFiles, () => new SpanReader());
  return { instruments, market, days, charges: data.charges, spanFiles, symbolLines, representationName };
}

/** The rows of all files that were imported. They were checked then; they must still fit the built-in master of this build. */
function importedRows(data: MarketData, folder: DataFolder): readonly ImportedRow[] {
  const rows: ImportedRow[] = [];
  for (const { exchanges, text } of readImportedFiles(folder.instruments)) {
    const read = readImport(text, data.master({ imported: rows }));
    if (!read.ok)
      throw new CommandFailed(faultsText(`the imported file of ${exchanges.join(', ')}`, read.error), EXIT_CONFIG);
    rows.push(...read.value);
  }
  return rows;
}

/** Checks a symbol file whole and keeps it for the next start. */
export async function importInstruments(folder: DataFolder, file: string): Promise<string> {
  const text = readIfPresent(file);
  if (text === undefined) throw new CommandFailed(`there is no file ${file}`, EXIT_FAILED);
  makeFolder(folder.folder);
  const data = loadMarketData(FACTS);
  const read = readImport(text, data.master({ imported: importedRows(data, folder) }));
  if (!read.ok) throw new CommandFailed(faultsText(file, read.error), EXIT_FAILED);
  const exchanges = [...new Set(read.value.map((row) => row.exchange))];
  const staying = filesBeside(readImportedFiles(folder.instruments), exchanges);
  if (!staying.ok) throw new CommandFailed(staying.error, EXIT_FAILED);
  writeImportedFiles(folder.instruments, [...staying.value, { exchanges, text }]);
  return `${read.value.length} instruments of ${exchanges.join(', ')} are taken over. The next start uses them.`;
}

function faultsText(file: string, faults: readonly LineError[]): string {
  return [`${file} is not taken over:`, ...faults.map(({ line, reason }) => `  line ${line}: ${reason}`)].join('\n');
}
