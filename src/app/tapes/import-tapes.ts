/**
 * The work of `sauda tape import`: reads files of recorded markets into drafts, checks them against the tapes that are
 * there, and puts all of them in their places. When one file is refused, nothing of the command stays.
 */
import { createHash } from 'node:crypto';
import { createReadStream, rmdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { nameList } from '../../base/name-list.ts';
import { withoutControls } from '../../base/printable.ts';
import { unlessAbsent } from '../../base/system-fault.ts';
import { formatIsoDay, type IstDay } from '../../base/time.ts';
import type { DataFolder } from '../../folder/data-folder.ts';
import { readImportedFiles } from '../../folder/imported-files.ts';
import { TapeDraft, type TapedInstrument, type TapeSource } from '../../folder/tapes/tape-file.ts';
import { TapeStore, tapePath } from '../../folder/tapes/tape-store.ts';
import { IMPORTING_TAPES, WriterLock } from '../../journal/disk/writer-lock.ts';
import { KNOWN_DAYS } from '../../market/synthetic/paths/span-of-days.ts';
import type { TapeTerms } from '../../operator/cli/folder/tape-commands.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED } from '../../os/command-failed.ts';
import { makeFolder, namesIn, removeDrafts } from '../../os/durable-file.ts';
import type { BeginPart, Progress } from '../../os/progress.ts';
import { ProgressReport } from '../../os/progress-report.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { type Series, spanOf } from '../../tapes/collector.ts';
import { InstrumentNames } from '../../tapes/instrument-names.ts';
import { type ReadTape, readTape } from '../../tapes/read-tape.ts';
import { TapeFault } from '../../tapes/tape-fault.ts';
import { importedRows } from '../imported-rows.ts';
import { FACTS } from '../opened-market.ts';
import { TakenDays } from './taken-days.ts';

const MEGABYTE = 1_000_000;
/** Names that a report lists before it says how many more there are. */
const NAMED = 5;

/** A file of the command before its form is known. */
type NamedFile = Omit<TapeSource, 'form'>;

/** A file that was read, and its tape, which is in no place yet. */
interface DraftedTape {
  readonly source: TapeSource;
  readonly draft: TapeDraft;
  readonly instruments: readonly TapedInstrument[];
  /** Lines. */
  readonly report: readonly string[];
}

/** The terms that all files of a command share. */
interface ImportTerms {
  readonly names: InstrumentNames;
  readonly terms: TapeTerms;
  readonly taken: TakenDays;
}

/**
 * Imports files, each as a tape of its own. Throws `CommandFailed` with the place of the first fault, and `FolderInUse`
 * when another import is at work.
 */
export async function importTapes(folder: DataFolder, files: readonly string[], terms: TapeTerms): Promise<string> {
  makeFolder(folder.folder);
  const lock = new WriterLock(folder.folder, IMPORTING_TAPES);
  const report = new ProgressReport(process.stderr);
  try {
    makeFolder(folder.tapes);
    removeDrafts(folder.tapes, () => true);
    return await importAll(folder, files, terms, report.begin);
  } catch (error) {
    throw error instanceof TapeFault ? new CommandFailed(`nothing is imported: ${error.message}`, EXIT_FAILED) : error;
  } finally {
    report.end();
    removeIfEmpty(folder.tapes);
    lock.release();
  }
}

/** Takes a folder away that has nothing in it: a refused import leaves none where there was none. */
function removeIfEmpty(folder: string): void {
  if (namesIn(folder).length === 0) unlessAbsent(() => rmdirSync(folder));
}

async function importAll(
  folder: DataFolder,
  files: readonly string[],
  terms: TapeTerms,
  begin: BeginPart,
): Promise<string> {
  const store = new TapeStore(folder.tapes);
  const taken = new TakenDays(store);
  const names = namesOf(folder);
  const drafted: DraftedTape[] = [];
  const said: string[] = [];
  const sizes = files.map((file) => statSync(file).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const sources = await sourcesOf(files, sizes, partsOf(begin('reading files', 'MB'), total));
  const partAt = partsOf(begin('importing tapes', 'MB'), total);
  try {
    let before = 0;
    for (const [index, file] of files.entries()) {
      const size = sizes[index] as number;
      const source = sources[index] as NamedFile;
      const known = store.tapes.find((tape) => tape.source.digest === source.digest);
      const twice = drafted.find((tape) => tape.source.digest === source.digest);
      if (known) said.push(`${file} is there already, as ${known.source.name}; nothing is done.`);
      else if (twice) said.push(`${file} has the same bytes as ${twice.source.name}; it counts once.`);
      else {
        const tape = await draftOf(folder, { file, source }, { names, terms, taken }, partAt(before));
        drafted.push(tape);
        taken.add(tape.source, tape.instruments);
        said.push(...tape.report);
      }
      before += size;
    }
    for (const { draft } of drafted) draft.place();
  } finally {
    for (const { draft } of drafted) draft.discard();
  }
  // Names of files and of their instruments may have anything in them.
  return [...said, ...(drafted.length === 0 ? [] : ['The next start uses it.'])].map(withoutControls).join('\n');
}

/** The instruments of a folder: those that are shipped, and those of its symbol files. */
function namesOf(folder: DataFolder): InstrumentNames {
  const data = loadReferenceData(FACTS);
  const imported = importedRows(data, readImportedFiles(folder.instruments), EXIT_CONFIG);
  return new InstrumentNames(data.master(imported), data.expiries);
}

async function draftOf(
  folder: DataFolder,
  { file, source }: { readonly file: string; readonly source: NamedFile },
  { names, terms, taken }: ImportTerms,
  progress: (bytes: number) => void,
): Promise<DraftedTape> {
  const draft = new TapeDraft(tapePath(folder.tapes, source.digest));
  let skipped = 0;
  try {
    const take = (series: Series, day: Parameters<TapeDraft['add']>[1]): void => {
      if (terms.skipKnown && taken.sourceOf(series, day.day) !== undefined) skipped += 1;
      else draft.add(series, day);
    };
    const before = changeOf(file);
    const read = await readTape(file, { names, given: terms, take, progress });
    if (changeOf(file) !== before) throw new TapeFault(`${file}: it was changed while it was read`);
    const whole = { ...source, form: read.titles.join(', ') };
    const instruments = draft.seal(whole, (name) => spanOf(name as Series));
    if (instruments.length === 0) throw new TapeFault(`${file}: other tapes have all of its days`);
    return { source: whole, draft, instruments, report: reportOf(file, whole, instruments, { ...read, skipped }) };
  } catch (error) {
    draft.discard();
    throw error;
  }
}

/** The files with their digests. The bytes of large ones take seconds, so it is shown how far this is. */
async function sourcesOf(
  files: readonly string[],
  sizes: readonly number[],
  partAt: ReturnType<typeof partsOf>,
): Promise<readonly NamedFile[]> {
  const sources: NamedFile[] = [];
  let before = 0;
  for (const [index, file] of files.entries()) {
    const progress = partAt(before);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of createReadStream(file, { highWaterMark: MEGABYTE }) as AsyncIterable<Uint8Array>) {
      hash.update(piece);
      bytes += piece.length;
      progress(bytes);
    }
    sources.push({ name: basename(file), bytes, digest: hash.digest('hex') });
    before += sizes[index] as number;
  }
  return sources;
}

/** A text that is another one once a file was written to. */
function changeOf(file: string): string {
  const { size, mtimeMs, ino } = statSync(file);
  return `${size} ${mtimeMs} ${ino}`;
}

/** A progress over all files, for the one that begins after `before` bytes. It stays below its end. */
function partsOf(progress: Progress, total: number): (before: number) => (bytes: number) => void {
  return (before) => (bytes) => progress(Math.floor((before + bytes) / MEGABYTE), Math.ceil(total / MEGABYTE) + 1);
}

function reportOf(
  file: string,
  source: TapeSource,
  instruments: readonly TapedInstrument[],
  read: ReadTape & { readonly skipped: number },
): readonly string[] {
  const days = instruments.flatMap((instrument) => instrument.days.map(([day]) => day as IstDay));
  const from = days.reduce((least, day) => (day < least ? day : least));
  const to = days.reduce((most, day) => (day > most ? day : most));
  const beyond = days.filter((day) => day < KNOWN_DAYS.first || day > KNOWN_DAYS.last).length;
  const { leftOut, untraded } = read.instruments;
  const rowsLeftOut = [...leftOut.values()].reduce((sum, rows) => sum + rows, 0);
  const texts = [...leftOut.keys()].map((name) => name.split(/\t+/).join(' ').trim());
  return [
    `${file}: ${kindText(instruments)} of ${instrumentText(instruments)} (${source.form}), ` +
      `${formatIsoDay(from)} to ${formatIsoDay(to)}, ${grouped(read.rows)} rows.`,
    ...(beyond > 0
      ? [
          `  ${grouped(beyond)} days before ${formatIsoDay(KNOWN_DAYS.first)} or after ${formatIsoDay(KNOWN_DAYS.last)} ` +
            'are not played: the market is not there.',
        ]
      : []),
    ...(read.skipped > 0 ? [`  ${grouped(read.skipped)} days that other tapes have are left out.`] : []),
    ...(untraded > 0 ? [`  ${grouped(untraded)} rows of instruments that did not trade are left out.`] : []),
    ...(rowsLeftOut > 0
      ? [`  ${grouped(rowsLeftOut)} rows of instruments that are not listed here are left out: ${shortList(texts)}.`]
      : []),
  ];
}

function kindText(instruments: readonly TapedInstrument[]): string {
  const [first] = instruments;
  if (first?.kind === 'ticks') return 'ticks';
  if (first?.span === 'day') return 'candles of a day';
  return first?.span === 1 ? 'one-minute candles' : `candles of ${first?.span} minutes`;
}

function instrumentText(instruments: readonly TapedInstrument[]): string {
  return shortList(instruments.map(({ exchange, symbol }) => `${exchange}:${symbol}`));
}

function shortList(names: readonly string[]): string {
  if (names.length <= NAMED) return nameList(names);
  return `${names.slice(0, NAMED).join(', ')} and ${grouped(names.length - NAMED)} more`;
}

/** `7,500`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
