/** Orders that calls wait for. They share one stream, which is open while one of them is waited for. */

import type { OrderNumber } from '../order-number.ts';
import { pause } from '../transport.ts';
import type { SaudaStream } from './stream.ts';

/** A wait for the changes of one order. */
export interface OrderFollower {
  /** Resolves when the order may have changed since the last call, and after `ms` or by the signal at the latest. */
  changed(ms: number, signal: AbortSignal | undefined): Promise<void>;
  end(): void;
}

interface Wait {
  hasChanged: boolean;
  wake: AbortController;
}

export class FollowedOrders {
  private readonly openStream: () => SaudaStream;
  private readonly waits = new Map<OrderNumber, Set<Wait>>();
  private stream: SaudaStream | undefined;

  constructor(openStream: () => SaudaStream) {
    this.openStream = openStream;
  }

  follow(number: OrderNumber): OrderFollower {
    const wait: Wait = { hasChanged: false, wake: new AbortController() };
    const all = this.waits.get(number) ?? new Set();
    this.waits.set(number, all.add(wait));
    this.stream ??= this.opened();
    return {
      changed: (ms, signal) => changed(wait, ms, signal),
      end: () => {
        all.delete(wait);
        if (all.size === 0) this.waits.delete(number);
        if (this.waits.size > 0) return;
        this.stream?.close();
        this.stream = undefined;
      },
    };
  }

  private opened(): SaudaStream {
    const stream = this.openStream();
    const orders = stream.orders();
    // Once events come, and after a gap, each order may have changed before.
    const wakeAll = (): void => {
      for (const all of this.waits.values()) wakeEach(all);
    };
    orders.ready.then(wakeAll, wakeAll);
    orders.on((event) => {
      if (event.type === 'resync') wakeAll();
      else wakeEach(this.waits.get(event.data.orderNumber) ?? new Set());
    }, wakeAll);
    stream.on('ended', () => {
      if (this.stream === stream) this.stream = undefined;
    });
    return stream;
  }
}

function wakeEach(waits: ReadonlySet<Wait>): void {
  for (const wait of waits) {
    wait.hasChanged = true;
    wait.wake.abort();
  }
}

async function changed(wait: Wait, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { wake } = wait;
  const wakeUp = (): void => wake.abort();
  signal?.addEventListener('abort', wakeUp);
  if (!wait.hasChanged && !signal?.aborted) await pause(ms, wake.signal);
  signal?.removeEventListener('abort', wakeUp);
  wait.hasChanged = false;
  wait.wake = new AbortController();
}
