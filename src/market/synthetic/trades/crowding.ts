import { hashAt } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import type { ContractFacts } from '../../../reference/instruments/facts.ts';
import { signedOf } from '../paths/draws.ts';

/**
 * The open interest of all futures on a share, as days of its typical volume, where `contract-liquidity.ts` has no
 * other value.
 */
const USUAL_OPEN_DAYS = 9.9;
/**
 * How far the open interest of a share strays from what is usual for it, and over how many days. Source: between
 * 11-Sep-2025 and 17-Nov-2025 the logarithm of what was open changed by a deviation of 0.23 over 191 shares, which is
 * 0.165 on either day.
 */
const STRAYS_BY = 0.33;
const STRAYS_OVER = 30;

/**
 * How many times the usual open interest the contracts on a share have on a day. It moves slowly, and about what is
 * measured of the share.
 */
export function crowding(seed: number, { openDays }: ContractFacts, day: IstDay): number {
  const place = day / STRAYS_OVER;
  const before = Math.floor(place);
  const passed = place - before;
  const eased = passed * passed * (3 - 2 * passed);
  const [from, to] = [signedOf(hashAt(seed, before)), signedOf(hashAt(seed, before + 1))];
  return (openDays / USUAL_OPEN_DAYS) * (1 + STRAYS_BY * (from + (to - from) * eased));
}
