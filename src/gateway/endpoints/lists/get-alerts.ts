import Type from 'typebox';
import type { Answer } from '../../answer.ts';
import { listOf } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { ALERT_ROW, alertText } from './alert-fields.ts';

const answer = success('Alerts', listOf(ALERT_ROW));

/** Source: docs/rules/wire-lists.md. */
export const getAlerts = operation({
  path: '/getAlerts',
  summary: 'The active alerts of the user and the last ones that ended, oldest first',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, _fields, caller): Answer | Promise<Answer> =>
    listAnswer(deps, caller, {
      answer,
      rowsAtATime: 400,
      rowBytes: 2_048,
      sources: (state) => state.alerts.of(caller.account),
      row: (alert) => alertText(deps.instruments, alert),
    }),
});
