/**
 * The work of commands that read a data folder without the operator port, such as `sauda verify` and `sauda why`.
 * They never change the journal.
 */
import { existsSync } from 'node:fs';
import type { AnchorPlace } from '../../audit/anchor.ts';
import type { TrailSearch } from '../../audit/port.ts';
import { verifyWithJournal } from '../../audit/reading/compare-with-journal.ts';
import { kindNamed, searchTrail } from '../../audit/reading/search-trail.ts';
import { CSV_HEAD, csvRow, lineText } from '../../audit/reading/trail-text.ts';
import { trailText, verifyTrail } from '../../audit/reading/verify-trail.ts';
import { trailFolder } from '../../audit/trail-file.ts';
import type { OrderNumber } from '../../base/ids.ts';
import type { WhyReport } from '../../engine/why/why-report.ts';
import { type DataFolder, dataFolder, filesBesideJournal, trailCopies, trailCopy } from '../../folder/data-folder.ts';
import { faultsOfFiles } from '../../folder/file-faults.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { holding } from '../../journal/disk/writer-lock.ts';
import { copiedText, copyFolder, expectEmpty, restoreFolder } from '../../journal/upkeep/backup.ts';
import { verificationText, verifyJournal } from '../../journal/upkeep/verify.ts';
import type { AuditForm } from '../../operator/cli/audit-commands.ts';
import type { AnchorSettings } from '../../operator/cli/data-commands.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { makeFolder } from '../../os/durable-file.ts';
import type { BeginPart } from '../../os/progress.ts';
import { reporting } from '../../os/progress-report.ts';
import { anchorPlace } from '../audit-trail.ts';
import { EXIT_DAMAGED } from '../exit-codes.ts';
import { orderWhy } from '../why/order-why.ts';
import { expectDataFolder, readingFolder } from './data-folder-there.ts';

/**
 * `sauda verify`: the report on journal, trail and files. Throws `CommandFailed` with the report when anything is
 * damaged.
 */
export async function verify(data: DataFolder, withMark: boolean, settings: AnchorSettings): Promise<string> {
  const { folder } = data;
  const anchor = anchorPlace(settings);
  return reporting(process.stderr, (begin) => {
    const verification = verifyJournal(folder, { begin, ...(withMark ? {} : { mark: 'none' }) });
    const text = verificationText(verification);
    if (verification.damage !== undefined) {
      expectDataFolder(data);
      throw new CommandFailed(text, EXIT_DAMAGED);
    }
    return withTrail(text, folder, begin, { anchor, withMark });
  });
}

/** The report on a whole journal, with that on the trail and on the files beside it, which are checked now. */
function withTrail(
  text: string,
  folder: string,
  begin: BeginPart,
  { anchor, withMark }: { readonly anchor?: AnchorPlace | undefined; readonly withMark?: boolean } = {},
): string {
  const trail = verifyWithJournal(REAL_DISK, folder, anchor, withMark, begin);
  const faults = faultsOfFiles(dataFolder(folder));
  const copies = trailCopies(dataFolder(folder)).map((name) =>
    verifyTrail(REAL_DISK, trailCopy(dataFolder(folder), name), undefined, begin),
  );
  const copied = copies.map((copy) => trailText(copy, 'the copy of another member'));
  const report = [text, trail.text, ...copied, ...faults.map((fault) => `DAMAGED ${fault}`)].join('\n');
  const isDamaged = trail.damaged || copies.some((copy) => copy.faults.length > 0);
  if (isDamaged || faults.length > 0) throw new CommandFailed(report, EXIT_DAMAGED);
  return report;
}

/**
 * `sauda audit`: the lines that were asked for, one at a time; only `verify` checks that lines are unchanged.
 */
export function* searchAudit(
  data: DataFolder,
  { kind: name, member, ...asked }: TrailSearch,
  form: AuditForm,
): Iterable<string> {
  const kind = name === undefined ? undefined : kindNamed(name);
  if (name !== undefined && kind === undefined) throw new CommandFailed(`${name} is not a kind of line`, EXIT_USAGE);
  const trail = member === undefined ? trailFolder(data.folder) : trailCopy(data, member);
  if (!existsSync(trail)) {
    const whose = member === undefined ? 'no audit trail' : `no copy of the audit trail of ${member}`;
    throw new CommandFailed(`${data.folder} has ${whose}: has a service been started there?`, EXIT_FAILED);
  }
  if (form === 'csv') yield CSV_HEAD;
  for (const line of searchTrail(REAL_DISK, trail, { ...asked, ...(kind && { kind }) })) {
    yield form === 'csv' ? csvRow(line) : form === 'json' ? JSON.stringify(line) : lineText(line);
  }
}

/** `sauda backup`: copies the data folder and checks the copy. Throws `CommandFailed` and `FolderNotEmpty`. */
export async function backUp(data: DataFolder, to: string): Promise<string> {
  return reporting(process.stderr, (begin) => {
    const copied = readingFolder(data, () => copyFolder(REAL_DISK, data.folder, to, filesBesideJournal(data), begin));
    return withTrail(copiedText(copied, data.folder, to), to, begin);
  });
}

/** `sauda restore`: copies a backup into an empty data folder. Throws `FolderNotEmpty`. */
export async function restore({ folder }: DataFolder, from: string): Promise<string> {
  expectEmpty(REAL_DISK, folder);
  makeFolder(folder);
  const beside = filesBesideJournal(dataFolder(from));
  const copied = reporting(process.stderr, (begin) =>
    holding(folder, () => readingFolder(dataFolder(from), () => restoreFolder(REAL_DISK, from, folder, beside, begin))),
  );
  return copiedText(copied, from, folder);
}

/**
 * `sauda why`: judges an order's requests once more, as the journal has them. Throws `CommandFailed` for an unknown
 * order.
 */
export async function why(folder: DataFolder, order: OrderNumber): Promise<WhyReport> {
  const report = orderWhy(folder, order);
  if (!report) throw new CommandFailed(`the journal has no order ${order}`, EXIT_FAILED);
  return report;
}
