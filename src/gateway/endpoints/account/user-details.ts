import Type from 'typebox';
import { riskGroupOf } from '../../../core/broker/account/risk-group.ts';
import { PRICE_TYPES } from '../../../core/order.ts';
import { anyText, exchangeWord, listOf, plain, priceTypeWord, t1 } from '../../fields/answers.ts';
import { JKEY_INVALID } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { operation } from '../../operation.ts';

const data = Type.Object({
  actid: anyText(),
  email: anyText(),
  exchange: listOf(exchangeWord),
  orarr: listOf(priceTypeWord),
  requestTime: t1,
  uprev: plain(),
  userName: anyText(),
});
const write = compileWriter(data);

/**
 * Answers without a `message`, as its clients know it. `exchange` has those that the risk group enables. Source:
 * contract section 4, market-rules R0.9.
 */
export const userDetails = operation({
  path: '/userDetails',
  summary: 'The user who is logged in',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  jKeyMissing: JKEY_INVALID.message,
  answer: { data },
  handle: (deps, _fields, caller) =>
    deps.engine.read((state) => {
      const account = state.accounts.at(caller.account);
      if (!account) return JKEY_INVALID;
      const body = write({
        actid: account.userId,
        email: state.cards.read(account.card).email,
        exchange: [...riskGroupOf(account).exchanges],
        orarr: [...PRICE_TYPES],
        requestTime: formatT1(deps.engine.now()),
        uprev: 'INVESTOR',
        userName: account.name,
      });
      return `{"status":"success","data":${body}}`;
    }),
});
