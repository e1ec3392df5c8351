import type { ImportedFile } from '../folder/imported-files.ts';
import { CommandFailed } from '../os/command-failed.ts';
import type { LineError } from '../reference/instruments/instrument-row.ts';
import { type MasterOptions, type ReferenceData, readImport } from '../reference/instruments/load.ts';
import { parseMasterCsv } from '../reference/instruments/master-csv.ts';

/** The rows of imported files. */
export type ImportedRows = Required<Pick<MasterOptions, 'imported' | 'delisted'>>;

/**
 * The rows of all files that were imported, as a start reads them. They must fit each other and the built-in master of
 * this build; otherwise it throws with `exitCode`.
 */
export function importedRows(data: ReferenceData, files: readonly ImportedFile[], exitCode: number): ImportedRows {
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

/** The faults of a file, a line each, under its name. */
export function faultsText(file: string, faults: readonly LineError[]): string {
  return [`${file} is not taken over:`, ...faults.map(({ line, reason }) => `  line ${line}: ${reason}`)].join('\n');
}
