/** The link to the service: the last word of the stream, and its time. A stale figure must not look alive. */
import { batch, computed, signal } from '@preact/signals';
import type { SaudaStream } from '../../../client/src/stream/stream.ts';
import type { MarketStatus } from '../../../client/src/wire.ts';

/**
 * `connecting` before the first login of the stream, `live`, `draining` when the service is about to end, `cut` while
 * the stream is connected again, and `ended` when the session is over.
 */
export type LinkState = 'connecting' | 'live' | 'draining' | 'cut' | 'ended';

/** The service sends its clock every 5 seconds, so a link that is silent for longer is in doubt. */
const SILENT_MS = 12_000;
const LOOK_MS = 1_000;

export const link = signal<LinkState>('connecting');
/** The reason of the last cut, in words. */
export const cutReason = signal('');
/** The address of the machine that leads, when this page's machine said that it follows; blank otherwise. */
export const leaderAddress = signal('');
/** Milliseconds since the service was last heard, looked at each second. */
export const silentFor = signal(0);
/** The market's time and phases as the service sent them last. */
export const marketStatus = signal<MarketStatus | undefined>(undefined);
/** True while figures on the page may be older than those of the service. */
export const isStale = computed(() => link.value !== 'live' || silentFor.value > SILENT_MS);

let heardAt = 0;

/** Something came from the service. */
export function heard(): void {
  heardAt = performance.now();
}

/** Follows the state of a stream until it ends. `ended` is called once when it is over for good. */
export function followLink(stream: SaudaStream, ended: (error: unknown) => void): void {
  link.value = 'connecting';
  heard();
  const look = setInterval(() => {
    silentFor.value = Math.floor(performance.now() - heardAt);
  }, LOOK_MS);
  stream.on('up', () => {
    heard();
    batch(() => {
      link.value = 'live';
      leaderAddress.value = '';
      silentFor.value = 0;
    });
  });
  stream.on('down', ({ reason }) => {
    batch(() => {
      link.value = 'cut';
      cutReason.value = reason;
      leaderAddress.value = leaderIn(reason);
    });
  });
  stream.on('ended', ({ error }) => {
    clearInterval(look);
    link.value = 'ended';
    ended(error);
  });
  stream.clock().on(({ data }) => {
    heard();
    marketStatus.value = data;
  }, ignore);
  stream.status().on(({ data }) => {
    if (data.state === 'draining') link.value = 'draining';
  }, ignore);
}

/** The address in the words with which a machine that follows another one closes a socket; blank in other words. */
export function leaderIn(reason: string): string {
  return /^leader (https?:\/\/[^\s/]+)$/.exec(reason)?.[1] ?? '';
}

/** For the end of a subscription: the end of the stream says the same once more. */
export function ignore(): void {}
