/** Which alerts fired since the page looked last. */
import type { AlertRow } from '../../../../client/src/wire.ts';

type Seen = Pick<AlertRow, 'alertId' | 'status'>;

/**
 * Gives the alerts that fired since the list before: those that were active in it, and those that are new and fired as
 * they were placed. The first list is how things stood when the page was opened.
 */
export class FiredAlerts<Row extends Seen> {
  private before: ReadonlyMap<string, AlertRow['status']> | undefined;

  take(rows: readonly Row[]): readonly Row[] {
    const { before } = this;
    this.before = new Map(rows.map(({ alertId, status }) => [alertId, status]));
    if (before === undefined) return [];
    return rows.filter(({ alertId, status }) => {
      return status === 'FIRED' && (before.get(alertId) ?? 'ACTIVE') === 'ACTIVE';
    });
  }
}
