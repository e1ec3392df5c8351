import type { Exchange } from '../base/ids.ts';
import { type EpochMs, MINUTE_MS } from '../base/time.ts';
import type { GatewayDeps } from './deps.ts';

interface KeptFile {
  readonly minute: number;
  readonly bytes: Buffer;
}

/**
 * Symbol files, kept for the minute: contracts begin and end on whole minutes, and the writing of tens of thousands of them
 * holds every other request up. Anybody may ask for them, as often as they like, and read them as slowly: all who do share the same bytes,
 * which are others only when a contract has begun or ended. Source: reliability F35.
 */
export class SymbolFiles {
  private readonly deps: GatewayDeps;
  private readonly kept = new Map<Exchange, KeptFile>();

  constructor(deps: GatewayDeps) {
    this.deps = deps;
  }

  /** The master of one exchange as CSV. Source: contract section 5. */
  bytesOf(exchange: Exchange, at: EpochMs): Buffer {
    const minute = Math.floor(at / MINUTE_MS);
    const known = this.kept.get(exchange);
    if (known?.minute === minute) return known.bytes;
    const written = Buffer.from(this.deps.symbolFile(exchange, at));
    const bytes = known?.bytes.equals(written) === true ? known.bytes : written;
    this.kept.set(exchange, { minute, bytes });
    return bytes;
  }
}
