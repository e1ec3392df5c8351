/**
 * The operation `/limit`: the funds of an account, and the part of them that is used. The core works out the figures;
 * the stream sends the same row.
 */

import Type from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { ZERO_PAISE } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Account } from '../../../core/account.ts';
import { limitsOf } from '../../../core/query.ts';
import { accountOf } from '../../../core/state.ts';
import { rupees, t1 } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { operation, success } from '../../operation.ts';

const LIMITS = Type.Object({
  availableMargin: rupees,
  brkcollamt: rupees,
  cash: rupees,
  collateral: rupees,
  expo: rupees,
  marginused: rupees,
  totalMargin: rupees,
  payin: rupees,
  peak_mar: rupees,
  premium: rupees,
  requestTime: t1,
  span: rupees,
});
const answer = success('Successfully fetched RMS limits', LIMITS);
const writeLimits = compileWriter(LIMITS);
/** The house gives no collateral value of its own. Source: market-rules R4.32. */
const NOTHING = formatRupees(ZERO_PAISE);

/** Source: interface §limit, contract 3.21, W21, market-rules R4.32. */
export const limit = operation({
  path: '/limit',
  summary: 'Account limits',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: ({ engine }, _fields, caller) =>
    engine.read((state) => answer.wrap(limitText(accountOf(state, caller.account), engine.now()))),
});

/** The limits of an account, as JSON. */
export function limitText(account: Account, at: EpochMs): string {
  const limits = limitsOf(account);
  return writeLimits({
    availableMargin: formatRupees(limits.availableMargin),
    brkcollamt: NOTHING,
    cash: formatRupees(limits.cash),
    collateral: formatRupees(limits.collateral),
    expo: formatRupees(limits.exposure),
    marginused: formatRupees(limits.marginUsed),
    totalMargin: formatRupees(limits.totalMargin),
    payin: formatRupees(limits.payin),
    peak_mar: formatRupees(limits.peakMargin),
    premium: formatRupees(limits.premium),
    requestTime: formatT1(at),
    span: formatRupees(limits.span),
  });
}
