import type { Exchange } from '../base/ids.ts';
import { type EpochMs, MINUTE_MS } from '../base/time.ts';
import type { GatewayDeps } from './deps.ts';

interface KeptFile {
  readonly minute: number;
  readonly text: string;
}

/**
 * Symbol files, kept for the minute: contracts begin and end on whole minutes, and the writing of tens of thousands of them
 * holds every other request up. Anybody may ask for them, as often as they like.
 */
export class SymbolFiles {
  private readonly deps: GatewayDeps;
  private readonly kept = new Map<Exchange, KeptFile>();

  constructor(deps: GatewayDeps) {
    this.deps = deps;
  }

  /** The master of one exchange as CSV. Source: contract section 5. */
  textOf(exchange: Exchange, at: EpochMs): string {
    const minute = Math.floor(at / MINUTE_MS);
    const known = this.kept.get(exchange);
    if (known?.minute === minute) return known.text;
    const text = this.deps.symbolFile(exchange, at);
    this.kept.set(exchange, { minute, text });
    return text;
  }
}
