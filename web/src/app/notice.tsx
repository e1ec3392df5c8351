/**
 * Words on a link that is not as it should be, and on a market that stands still, whose figures are not old for that.
 * They stand in the room that the top bar has, so nothing moves.
 */

import { cutReason, isStale, type LinkState, leaderAddress, link, silentFor } from '../store/link.ts';
import { standsStill } from '../store/market-time.ts';

/** Older figures than this are given an age. */
const WORTH_SAYING_MS = 2_000;

const STILL = 'The market stands still: resting orders wait.';

export function Notice() {
  return (
    <div class="notice" role="status">
      {isStale.value && leaderAddress.value === '' && <p>{noticeText(link.value, cutReason.value, silentFor.value)}</p>}
      {isStale.value && leaderAddress.value !== '' && (
        <p>
          Another machine leads. Trade on at <a href={leaderAddress.value}>{leaderAddress.value}</a>.
        </p>
      )}
      {!isStale.value && standsStill.value && <p class="still">{STILL}</p>}
    </div>
  );
}

function noticeText(state: LinkState, reason: string, silentMs: number): string {
  const age = silentMs < WORTH_SAYING_MS ? '' : ` Figures are ${ageText(silentMs)} old.`;
  switch (state) {
    case 'connecting':
      return 'Connecting to the service.';
    case 'draining':
      return `The service is stopping. Orders wait until it is back.${age}`;
    case 'cut':
      return `The connection is lost${reason === '' ? '' : ` (${reason})`}. It is tried again.${age}`;
    case 'ended':
      return 'The session ended.';
    case 'live':
      return `Nothing comes from the service.${age}`;
  }
}

export function ageText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
