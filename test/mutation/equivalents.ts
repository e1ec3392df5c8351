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
    file: 'src/core/margin/contract-risk.ts',
    line: 'price * PER_PAISA, PER_UNIT',
    kind: 'arithmetic',
    replacement: '/',
    reason:
      'the exposure of a contract, 2 % of its spot in ten-thousandths of a paisa, is the larger number than its price',
  },
  {
    file: 'src/core/margin/contract-risk.ts',
    line: 'expiring: false,',
    kind: 'constant',
    reason: 'what has expired adds nothing to either group',
  },
  {
    file: 'src/core/margin/contract-risk.ts',
    line: 'weight: 0,',
    kind: 'constant',
    reason: 'without risk any weight is a bound',
  },
  {
    file: 'src/core/margin/contract-risk.ts',
    line: 'return value < 0 ? -Math.round(-value) + 0',
    kind: 'comparison',
    replacement: '<=',
    reason: 'nothing is nothing either way',
  },
  {
    file: 'src/core/margin/contract-risk.ts',
    line: "if (kind === 'option') return { long: 0, short:",
    kind: 'constant',
    replacement: '1',
    reason: 'nobody asks for the normal margin of a long option',
  },
  {
    file: 'src/core/margin/delivery.ts',
    line: 'export const DELIVERY_DAYS',
    kind: 'constant',
    reason: 'the table has nothing for the day that is looked at too',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'const place = rung === undefined ? -1',
    kind: 'constant',
    reason: 'without a rung there is nothing more to add to one',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'const place = rung === undefined ? -1',
    kind: 'arithmetic',
    reason: 'without a rung there is nothing more to add to one',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'if (left * own < 0) charge',
    kind: 'comparison',
    replacement: '<=',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'if (left * own < 0) charge',
    kind: 'arithmetic',
    replacement: '/',
    reason: 'the sign of a quotient is that of the product, and no units offset nothing',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'if (!this.hasFutures) return 0',
    kind: 'constant',
    reason:
      'a thirtieth of a thousandth of a paisa more: sums without futures are whole thirds, which it lifts over no half',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'for (let i = 0; i < futures.length',
    kind: 'comparison',
    replacement: '<=',
    reason: 'a place beyond the rungs, where nobody looks',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'const made: Rung = { expiryDay',
    kind: 'constant',
    reason: 'there are no futures to count it for',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'if (a * b >= 0) continue',
    kind: 'arithmetic',
    replacement: '/',
    reason: 'the sign of a quotient is that of the product, and no units pair nothing',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'if (a * b >= 0) continue',
    kind: 'constant',
    reason: 'whole numbers: no product is between 0 and 1, and no units pair nothing',
  },
  {
    file: 'src/core/margin/expiry-ladder.ts',
    line: 'if (a * b >= 0) continue',
    kind: 'comparison',
    replacement: '>',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'if (buysAlong + buysAgainst > 0)',
    kind: 'comparison',
    replacement: '>=',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'if (sellsAlong + sellsAgainst > 0)',
    kind: 'comparison',
    replacement: '>=',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'if (buysAlong + sellsAgainst > 0)',
    kind: 'comparison',
    replacement: '>=',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'if (sellsAlong + buysAgainst > 0)',
    kind: 'comparison',
    replacement: '>=',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'const buysAlong =',
    kind: 'constant',
    replacement: '1',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'const sellsAlong =',
    kind: 'constant',
    replacement: '1',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'const buysAgainst =',
    kind: 'constant',
    replacement: '1',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'const sellsAgainst =',
    kind: 'constant',
    replacement: '1',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'if (buysAlong + sellsAlong === 0 || buysAgainst',
    kind: 'logical',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'buying = 0;',
    kind: 'constant',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/portfolio-sums.ts',
    line: 'selling = 0;',
    kind: 'constant',
    reason: SAME_WORLD,
  },
  {
    file: 'src/core/margin/requirement.ts',
    line: 'if (touched.length > 0) touched.length = 0',
    kind: 'branch',
    reason: 'what was touched once is only set once more',
  },
  {
    file: 'src/core/margin/requirement.ts',
    line: 'if (touched.length > 0) touched.length = 0',
    kind: 'constant',
    reason: 'what was touched once is only set once more',
  },
  {
    file: 'src/core/margin/requirement.ts',
    line: 'return legs.size > (legs.has(group)',
    kind: 'comparison',
    replacement: '>=',
    reason: SPEED,
  },
  {
    file: 'src/core/margin/requirement.ts',
    line: 'return legs.size > (legs.has(group)',
    kind: 'constant',
    replacement: '0',
    reason: SPEED,
  },
  {
    file: 'src/core/margin/requirement.ts',
    line: 'if (sum.premium > 0) sum.premium',
    kind: 'comparison',
    replacement: '>=',
    reason: 'the opening share of nothing is nothing',
  },
  {
    file: 'src/core/margin/risk-sheet.ts',
    line: 'return desk.riskFiles === riskFiles',
    kind: 'logical',
    reason: SPEED,
  },
  {
    file: 'src/core/margin/risk-sheet.ts',
    line: 'this.shares.set(id, made)',
    kind: 'removed statement',
    reason: SPEED,
  },
  {
    file: 'src/core/margin/risk-sheet.ts',
    line: 'this.contracts.set(id, made)',
    kind: 'removed statement',
    reason: SPEED,
  },
  {
    file: 'src/core/margin/risk-sheet.ts',
    line: 'cashRate: rate === undefined ? 0',
    kind: 'constant',
    reason: 'only what delivers shares has a delivery margin, and its share has a rate',
  },
  {
    file: 'src/core/margin/shares-margin.ts',
    line: 'const up = net >= 0',
    kind: 'comparison',
    replacement: '>',
    reason: 'nothing held is no short either: both ways are the purchases alone',
  },
  {
    file: 'src/core/margin/shares-margin.ts',
    line: 'const down = net <= 0',
    kind: 'comparison',
    replacement: '<',
    reason: 'nothing held is no holding either: both ways are the sales alone',
  },
  {
    file: 'src/core/margin/world-sums.ts',
    line: 'if (loss > scan) scan = loss',
    kind: 'comparison',
    replacement: '>=',
    reason: 'the same loss',
  },
];
