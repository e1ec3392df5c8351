import { verifySync } from 'otplib';
import type { WallMs } from '../../base/time.ts';

const PERIOD_S = 30;
/** One step before and after the running one: a clock that is off by up to half a minute still logs in. */
const WINDOW_S = 30;

/**
 * The time step of a valid code, or `undefined`. A step that is not above `lastStep` does not count: every code works
 * once. SHA-1, 6 digits, 30 seconds. Source: RFC 6238 §4 and §5.2, reliability §4.
 */
export function acceptedStep(secret: string, code: string, at: WallMs, lastStep: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(at / 1000);
  // The library refuses to look behind a step that the window cannot reach, as after a clock that was set back.
  if (lastStep > Math.floor((epoch + WINDOW_S) / PERIOD_S)) return undefined;
  const result = verifySync({
    secret,
    token: code,
    epoch,
    period: PERIOD_S,
    epochTolerance: WINDOW_S,
    afterTimeStep: lastStep,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
