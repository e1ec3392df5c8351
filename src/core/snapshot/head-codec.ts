/**
 * The stored forms of the members in the head of a dump that are records: the clock, branches, and work in portions.
 * How they stand in it is in `snapshot.ts`.
 */

import { type Decoder, oneOf, optional, real, record, text, whole } from '../../base/codec.ts';
import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { ClockSpeed, EpochMs, IstDay } from '../../base/time.ts';
import type { BranchPoint } from '../branch/branch-point.ts';
import type { ClockLine } from '../clock/clock-line.ts';
import { type DuePortion, PORTIONED_WORK } from '../portions/due-portion.ts';
import { SQUARE_OFF_SEGMENTS } from '../trading-days.ts';

const speedOf: Decoder<ClockSpeed> = (stored, field) => (stored === 'max' ? stored : real(stored, field));

export const clockOf = record<ClockLine>({
  at: whole,
  market: whole,
  speed: speedOf,
  until: optional<EpochMs>(whole),
  eventOf: optional<AccountId>(whole),
  by: text,
  why: text,
  asked: optional<EpochMs>(whole),
});

export const branchOf = record<BranchPoint>({ name: text, parent: text, journal: text, record: whole });

export const portionOf = record<DuePortion>({
  of: oneOf(...PORTIONED_WORK),
  number: whole,
  from: whole,
  before: optional<IstDay>(whole),
  segment: optional(oneOf(...SQUARE_OFF_SEGMENTS)),
  after: optional<OrderNumber>(whole),
});
