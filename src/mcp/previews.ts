import { randomBytes } from 'node:crypto';
import { ToolRefusal } from './tool-answer.ts';

/** The fields of an order as it would be sent, all as text. */
export type OrderFields = Readonly<Record<string, string>>;

/** How long a preview may be placed, in milliseconds. */
export const PREVIEW_MS = 120_000;
/** The oldest preview is dropped for a new one beyond this number. */
const MOST_PREVIEWS = 100;
const TOKEN_BYTES = 16;

interface Preview {
  readonly order: string;
  readonly until: number;
}

/** The orders that were previewed and may be placed, each once, by a token. */
export class Previews {
  private readonly elapsed: () => number;
  /** In the order in which they were made. */
  private readonly kept = new Map<string, Preview>();

  /** `elapsed`: monotonic milliseconds. */
  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  /** The token of an order. */
  keep(order: OrderFields): string {
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MOST_PREVIEWS && oldest !== undefined) this.kept.delete(oldest);
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    this.kept.set(token, { order: textOf(order), until: this.elapsed() + PREVIEW_MS });
    return token;
  }

  /**
   * Uses a token up. Throws `ToolRefusal` when it is not known, was used, is too old, or belongs to another order.
   */
  take(token: string, order: OrderFields): void {
    const preview = this.kept.get(token);
    this.kept.delete(token);
    if (preview === undefined) throw new ToolRefusal('no preview has this token, or it was used: preview the order');
    if (this.elapsed() >= preview.until) throw new ToolRefusal('the preview is older than two minutes: preview again');
    if (preview.order !== textOf(order)) throw new ToolRefusal('the order is not the one of the preview: preview it');
  }
}

/** The same text for the same fields, in whatever sequence they come. */
function textOf(order: OrderFields): string {
  return JSON.stringify(Object.entries(order).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
