/** The place where stored history is no longer as it was written, and the fault there. */
export interface DamageReport {
  readonly file: string;
  /** Where in the file, in bytes; `undefined` when the damage has no one place. */
  readonly offset?: number;
  /** The group, by the sequence number of its first record; `undefined` when the damage is in no group. */
  readonly group?: number;
  /** The first record that cannot be trusted. */
  readonly seq: number;
  readonly what: string;
  /** The last record that can be trusted. */
  readonly lastGood: number;
}

/**
 * Stored history is damaged, cut or of an unknown version. The start is refused; nothing was changed. Source:
 * reliability P5.
 */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
  readonly report: DamageReport;

  constructor(report: DamageReport) {
    super(damageText(report));
    this.report = report;
  }
}

/** One line for an operator: the file, the place, the fault, the last good sequence. */
export function damageText(report: DamageReport): string {
  const offset = report.offset === undefined ? '' : `, offset ${report.offset}`;
  const group = report.group === undefined ? '' : `, group of ${report.group}`;
  return `${report.file}${offset}${group}, sequence ${report.seq}: ${report.what}; last good sequence ${report.lastGood}`;
}
