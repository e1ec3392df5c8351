/**
 * The market's time between two messages of the service's clock. It runs at the speed that the service gave; that of a
 * market that is faster than the wall comes each second, and is not guessed between. It stands while the page is stale.
 */
import { computed, effect, signal } from '@preact/signals';
import { isStale, marketStatus } from './link.ts';

const DAY_S = 86_400;
const LOOK_MS = 250;

/** As `18:03:13`; blank before the first message. */
export const marketTime = signal('');

/** The day of the market, as `23-11-2026`; blank before the first message. */
export const marketDay = computed(() => dayIn(marketStatus.value?.marketTime ?? ''));

/** The day of a time of the market, as `10:15:00 23-11-2026`. */
export function dayIn(time: string): string {
  return time.slice(9);
}

/** True while the operator lets market time stand still. Figures that do not change then are not old for that. */
export const standsStill = computed(() => marketStatus.value?.speed === '0');

/** The speed in words; blank at that of the wall. */
export function paceText(speed: string): string {
  if (speed === '1') return '';
  if (speed === '0') return 'stands still';
  return speed === 'max' ? 'as fast as it can' : `\u00d7${speed}`;
}

/** The speed at which the page lets time go on by itself. */
export function ownSpeed(speed: string): number {
  return Number(speed) <= 1 ? Number(speed) : 0;
}

/** `HH:MM:SS` some real milliseconds after `from`, which may have a date after it, at a speed of the market. */
export function timeAfter(from: string, ms: number, speed: number): string {
  const [hours = 0, minutes = 0, seconds = 0] = from.slice(0, 8).split(':').map(Number);
  const later = hours * 3_600 + minutes * 60 + seconds + Math.floor((ms / 1_000) * speed);
  const inDay = ((later % DAY_S) + DAY_S) % DAY_S;
  return [inDay / 3_600, (inDay / 60) % 60, inDay % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
}

/** Keeps `marketTime` until the result is called. */
export function runMarketTime(): () => void {
  let status = marketStatus.peek();
  let at = performance.now();
  const look = (): void => {
    if (status === undefined) marketTime.value = '';
    else if (!isStale.peek())
      marketTime.value = timeAfter(status.marketTime, performance.now() - at, ownSpeed(status.speed));
  };
  const stop = effect(() => {
    status = marketStatus.value;
    at = performance.now();
    look();
  });
  const timer = setInterval(look, LOOK_MS);
  return () => {
    stop();
    clearInterval(timer);
  };
}
