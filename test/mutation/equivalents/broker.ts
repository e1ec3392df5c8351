import { type Equivalent, NO_UNITS, SPEED } from './equivalent.ts';

/** Of admission. */
export const IN_BROKER: readonly Equivalent[] = [
  {
    file: 'src/core/broker/account/collateral.ts',
    line: 'if (holding.pledged === 0) continue',
    kind: 'removed statement',
    reason: 'no pledged shares count nothing, as before',
  },
  {
    file: 'src/core/broker/account/funds.ts',
    line: 'return opened <= 0 ? ZERO_PAISE',
    kind: 'comparison',
    replacement: '<',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/broker/account/held-proceeds.ts',
    line: 'return unsettled <= 0 ? ZERO_PAISE',
    kind: 'comparison',
    replacement: '<',
    reason: NO_UNITS,
  },
  {
    file: 'src/core/broker/account/held-proceeds.ts',
    line: 'return netted > 0 && isGross(row)',
    kind: 'comparison',
    replacement: '>=',
    reason: SPEED,
  },
  {
    file: 'src/core/broker/trials/what-if.ts',
    line: 'if (!tried.stale) continue',
    kind: 'removed statement',
    reason: SPEED,
  },
  {
    file: 'src/core/broker/trials/what-if.ts',
    line: 'tried.stale = false',
    kind: 'removed statement',
    reason: SPEED,
  },
  {
    file: 'src/core/broker/orders/order-checks.ts',
    line: 'const refusal = actionRefusal(phase, current',
    kind: 'branch',
    reason: 'every phase takes placements and modifications, or neither',
  },
  {
    file: 'src/core/broker/orders/order-need.ts',
    line: 'const turns = meets && !closing && met.resting > 0',
    kind: 'comparison',
    replacement: '>=',
    reason: SPEED,
  },
  {
    file: 'src/core/broker/trials/what-if.ts',
    line: 'tried.stale = false',
    kind: 'constant',
    reason: SPEED,
  },
  {
    file: 'src/core/broker/account/held-proceeds.ts',
    line: 'let most = 0',
    kind: 'constant',
    reason: 'the bound of an invariant, a paisa above',
  },
  {
    file: 'src/core/broker/orders/reduction.ts',
    line: 'net < 0',
    kind: 'comparison',
    replacement: '<=',
    reason: 'who holds nothing opens: no order of some units leads back to nothing',
  },
  {
    file: 'src/core/broker/orders/reduction.ts',
    line: 'net > 0',
    kind: 'comparison',
    replacement: '>=',
    reason: 'who holds nothing opens: no order of some units leads back to nothing',
  },
  {
    file: 'src/core/broker/orders/reduction.ts',
    line: 'net < 0',
    kind: 'constant',
    reason: 'who holds nothing opens: no order of some units leads back to nothing',
  },
  {
    file: 'src/core/broker/trials/what-if.ts',
    line: 'addOpen(row, side, -units, -amount)',
    kind: 'arithmetic',
    replacement: ' (amount)',
    reason: 'nobody asks what orders are worth of which no units rest',
  },
  {
    file: 'src/core/broker/trials/what-if.ts',
    line: 'tried?.portfolio ?? this.account.portfolios.get(group)',
    kind: 'logical',
    reason: 'the portfolio that is tried is that of the account',
  },
  {
    file: 'src/core/broker/orders/ban.ts',
    line: 'instrument !== undefined && isDerivative',
    kind: 'logical',
    reason: 'an instrument that is not a contract has no underlying that could be banned',
  },
];
