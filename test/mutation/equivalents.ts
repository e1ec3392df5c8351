import type { MutationKind } from './mutants.ts';

/** Mutants that no test can tell from the original, and why. A line is named by its text, so it is found wherever it moves to. */
export interface Equivalent {
  readonly file: string;
  /** A part of the line on which the mutant begins. */
  readonly line: string;
  readonly kind: MutationKind;
  /** What stands in its place; any when left out. */
  readonly replacement?: string;
  readonly reason: string;
}

const SPEED = 'what is kept only saves time: the same is found without it';
const FAR_BOUND = 'a bound of memory; what is beyond it has no effect on an answer';
const OVERWRITTEN = 'written before it is first read';

const NO_UNITS = 'the share of no units is nothing';
const SAME_WORLD =
  'a world in which nothing more is filled is as what is held: it is measured once more and needs the same';

const MEETS = 'amount and percentage give the same width at the price where they meet, and a paisa above it';

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/core/exchange/guards/price-range.ts',
    line: 'upTo: 50_00',
    kind: 'constant',
    replacement: '5001',
    reason: MEETS,
  },
  {
    file: 'src/core/exchange/guards/price-range.ts',
    line: 'reference <= upTo ?',
    kind: 'comparison',
    replacement: '<',
    reason: MEETS,
  },
  {
    file: 'src/core/exchange/guards/price-range.ts',
    line: 'const FUTURE_EXECUTION',
    kind: 'constant',
    replacement: '1',
    reason: 'no future is worth less than two paise',
  },
  { file: 'src/core/exchange/ladder.ts', line: 'this.size > FEW_LEVELS', kind: 'logical', reason: SPEED },
  { file: 'src/core/exchange/ladder.ts', line: 'this.size > FEW_LEVELS', kind: 'comparison', reason: SPEED },
  { file: 'src/core/exchange/ladder.ts', line: 'while (length < this.size * 2', kind: 'comparison', reason: SPEED },
  { file: 'src/core/exchange/ladder.ts', line: 'while (length < this.size * 2', kind: 'constant', reason: SPEED },
  {
    file: 'src/core/exchange/ladder.ts',
    line: 'return (price * 2) & (window.length - 1)',
    kind: 'arithmetic',
    reason: SPEED,
  },
  {
    file: 'src/gateway/credentials/login-throttle.ts',
    line: 'const REMEMBERED_FAILURES = FREE_FAILURES + 6',
    kind: 'constant',
    reason: 'the wait has reached its longest with six failures more than are free',
  },
  { file: 'src/gateway/sessions.ts', line: 'const MOST_DIGESTS', kind: 'constant', reason: FAR_BOUND },
  { file: 'src/gateway/sessions.ts', line: 'private at = 0', kind: 'constant', reason: OVERWRITTEN },
  { file: 'src/gateway/sessions.ts', line: "known ?? hash('sha256', jKey)", kind: 'logical', reason: SPEED },
  { file: 'src/gateway/sessions.ts', line: 'this.digests.delete(jKey)', kind: 'removed statement', reason: SPEED },
  { file: 'src/gateway/sessions.ts', line: 'this.remember(jKey)', kind: 'branch', reason: SPEED },
  { file: 'src/gateway/sessions.ts', line: 'this.remember(jKey)', kind: 'removed statement', reason: SPEED },
  { file: 'src/gateway/sessions.ts', line: 'this.digests.size >= MOST_DIGESTS', kind: 'branch', reason: SPEED },
  { file: 'src/gateway/sessions.ts', line: 'this.digests.size >= MOST_DIGESTS', kind: 'comparison', reason: SPEED },
  { file: 'src/gateway/sessions.ts', line: 'this.digests.clear()', kind: 'removed statement', reason: FAR_BOUND },
  { file: 'src/gateway/sessions.ts', line: 'this.digests.set(jKey', kind: 'removed statement', reason: SPEED },
  {
    file: 'src/gateway/sessions.ts',
    line: 'this.touchedAt.get(session) ?? 0',
    kind: 'constant',
    reason: 'no wall clock is within ten minutes of 1970',
  },
  {
    file: 'src/core/margin/contract-risk.ts',
    line: 'if (units >= 0) return units * delivery.long',
    kind: 'constant',
    reason: 'no units add nothing on either side',
  },
  {
    file: 'src/core/margin/contract-risk.ts',
    line: 'if (units >= 0) return units * delivery.long',
    kind: 'comparison',
    replacement: '>',
    reason: 'no units add nothing on either side',
  },
  {
    file: 'src/core/margin/delivery.ts',
    line: 'export const DELIVERY_DAYS',
    kind: 'arithmetic',
    reason: 'the table has nothing for the days that are looked at too',
  },
  {
    file: 'src/core/margin/opening-share.ts',
    line: 'if (opening <= 0)',
    kind: 'comparison',
    replacement: '<',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/margin/requirement.ts',
    line: 'if (touched.length > 0) touched.length = 0',
    kind: 'comparison',
    replacement: '>=',
    reason: 'an empty list is emptied',
  },
  {
    file: 'src/gateway/times.ts',
    line: 'let lastDate = dateTexts(istDay(0',
    kind: 'constant',
    reason: 'one millisecond later is the same day',
  },
  {
    file: 'src/core/exchange/ladder.ts',
    line: 'return (price * 2) & (window.length - 1)',
    kind: 'constant',
    reason: SPEED,
  },
  {
    file: 'src/core/margin/requirement.ts',
    line: 'touched.length = 0',
    kind: 'removed statement',
    reason: 'what was touched once is only set once more',
  },
  {
    file: 'src/core/margin/risk-sheet.ts',
    line: 'sheets.set(desk.market, sheet)',
    kind: 'removed statement',
    reason: SPEED,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'this.gross > Number.MAX_SAFE_INTEGER',
    kind: 'comparison',
    replacement: '>=',
    reason: 'the largest safe number itself is exact either way',
  },
  {
    file: 'src/core/margin/shares-margin.ts',
    line: 'return closing >= units ? 0',
    kind: 'comparison',
    replacement: '>',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/broker/collateral.ts',
    line: 'if (holding.pledged === 0) continue',
    kind: 'removed statement',
    reason: 'no pledged shares count nothing, as before',
  },
  {
    file: 'src/core/broker/funds.ts',
    line: 'return opened <= 0 ? ZERO_PAISE',
    kind: 'comparison',
    replacement: '<',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/broker/held-proceeds.ts',
    line: 'return unsettled <= 0 ? ZERO_PAISE',
    kind: 'comparison',
    replacement: '<',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/broker/order-checks.ts',
    line: 'if (trigger > 0 && (trigger < lower',
    kind: 'constant',
    reason: 'the limit of a sale that fires at one paisa is one paisa too, and a purchase has fired by then',
  },
  {
    file: 'src/core/broker/what-if.ts',
    line: 'if (!tried.stale) continue',
    kind: 'removed statement',
    reason: SPEED,
  },
  { file: 'src/core/broker/what-if.ts', line: 'tried.stale = false', kind: 'removed statement', reason: SPEED },
  {
    file: 'src/core/broker/what-if.ts',
    line: 'if (units === 0) return',
    kind: 'removed statement',
    reason: 'no units move nothing',
  },
];
