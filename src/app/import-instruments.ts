/**
 * The work of `sauda instruments import`: checks a symbol file in CSV and keeps it for the next start.
 * The running service does not read the file before then.
 */
import { readFileSync } from 'node:fs';
import { must } from '../base/assert.ts';
import { EXCHANGES, instrumentId } from '../base/ids.ts';
import { type IstDay, istDay } from '../base/time.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import { filesBeside, type ImportedFile, readImportedFiles, writeImportedFiles } from '../folder/imported-files.ts';
import { REAL_DISK } from '../journal/disk/real-disk.ts';
import { holding, IMPORTING } from '../journal/disk/writer-lock.ts';
import { journalPaths } from '../journal/upkeep/examine.ts';
import { lastInstant } from '../journal/upkeep/last-instant.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED } from '../os/command-failed.ts';
import { makeFolder } from '../os/durable-file.ts';
import type { Progress } from '../os/progress.ts';
import { reporting } from '../os/progress-report.ts';
import { wallClock } from '../os/wall-clock.ts';
import type { ImportedRow } from '../reference/instruments/instrument-row.ts';
import { loadReferenceData, type ReferenceData, readImport } from '../reference/instruments/load.ts';
import { symbolLines } from '../reference/instruments/symbol-file.ts';
import { faultsText, type ImportedRows, importedRows } from './imported-rows.ts';
import { FACTS } from './opened-market.ts';

/**
 * Checks a symbol file whole, beside those that stay, and keeps it for the next start. Instruments of an earlier file
 * that are not in this one are delisted. No other import works meanwhile, so what this one read still holds when it
 * writes. Throws `CommandFailed` with every bad row, and `FolderInUse` when another import is at work.
 */
export async function importInstruments(folder: DataFolder, file: string): Promise<string> {
  const text = readFileSync(file, 'utf8');
  makeFolder(folder.folder);
  return reporting(process.stderr, (begin) => {
    const progress = begin('importing instruments', 'steps');
    return holding(folder.folder, () => addFile(folder, { file, text }, marketDay(folder), progress), IMPORTING);
  });
}

/** The date in the market of the folder: that of its last record, or of the machine before its first start. */
function marketDay({ folder }: DataFolder): IstDay {
  return istDay(lastInstant(REAL_DISK, journalPaths(folder)) ?? wallClock());
}

/** Reading what is there, reading the file, checking both together, and writing. */
const IMPORT_STEPS = 4;

function addFile(
  folder: DataFolder,
  { file, text }: { readonly file: string; readonly text: string },
  today: IstDay,
  progress: Progress,
) {
  const data = loadReferenceData(FACTS);
  const files = readImportedFiles(folder.instruments);
  const before = importedRows(data, files, EXIT_CONFIG);
  progress(1, IMPORT_STEPS);
  const read = readImport(text, data.master(), before.imported);
  if (!read.ok) throw new CommandFailed(faultsText(file, read.error), EXIT_FAILED);
  progress(2, IMPORT_STEPS);
  const exchanges = [...new Set(read.value.map((row) => row.exchange))];
  const staying = filesBeside(
    files.filter(({ delisted }) => delisted !== true),
    exchanges,
  );
  if (!staying.ok) throw new CommandFailed(staying.error, EXIT_FAILED);
  const listed = [...staying.value, { exchanges, text }];
  const { imported } = importedRows(data, listed, EXIT_FAILED);
  progress(3, IMPORT_STEPS);
  writeImportedFiles(folder.instruments, [...listed, ...delistedFiles(data, before, imported, today)]);
  progress(IMPORT_STEPS, IMPORT_STEPS);
  return `${read.value.length} instruments of ${exchanges.join(', ')} are taken over. The next start uses them.`;
}

/**
 * Contracts that expired earlier are forgotten: the history of orders keeps a week, and a service may be off for a
 * while.
 */
const DELISTED_DAYS = 30;

/** Instruments that were known before and are not among the rows now, in symbol files of our own form. */
function delistedFiles(
  data: ReferenceData,
  before: ImportedRows,
  now: readonly ImportedRow[],
  today: IstDay,
): readonly ImportedFile[] {
  const known = new Set(now.map(({ exchange, token }) => instrumentId(exchange, token)));
  const master = data.master(before);
  const gone = [...before.imported, ...before.delisted].flatMap(({ exchange, token, contract }) => {
    const id = instrumentId(exchange, token);
    if (known.has(id) || (contract !== undefined && contract.expiryDay < today - DELISTED_DAYS)) return [];
    return [must(master.get(id), 'an imported instrument is known')];
  });
  return EXCHANGES.flatMap((exchange) => {
    const own = gone.filter((instrument) => instrument.exchange === exchange);
    const lines = (): string => [...symbolLines(exchange, own), ''].join('\n');
    return own.length === 0 ? [] : [{ exchanges: [exchange], text: lines(), delisted: true }];
  });
}
