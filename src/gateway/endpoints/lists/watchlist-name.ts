import Type, { type TString } from 'typebox';
import { VISIBLE } from '../../../base/printable.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Reply } from '../../../core/reply.ts';
import type { Answer } from '../../answer.ts';
import { anyText, t1 } from '../../fields/answers.ts';
import { badRequest, decided } from '../../fields/envelope.ts';
import { formatT1 } from '../../fields/times.ts';
import { type SuccessAnswer, success } from '../../operation.ts';

/** The name of a watchlist: it is the list's own within its account, letter by letter. */
export function watchlistName(): TString {
  return Type.String({
    maxLength: 64,
    pattern: VISIBLE,
    description: '1 to 64 visible characters',
    'x-invalid': 'name must be 1 to 64 visible characters, with blanks only between them',
  });
}

const DONE = Type.Object({ name: anyText('the name of the list'), requestTime: t1 });

/** The answer to a change of one watchlist. */
export function watchlistAnswer(message: string): SuccessAnswer<typeof DONE> {
  return success(message, DONE);
}

/** The answer to a change of the watchlist `name`, or the failure in it. */
export function writeChange(answer: SuccessAnswer<typeof DONE>, name: string, reply: Reply, userId: string): Answer {
  if (reply.type === 'Done') return answer.write({ name, requestTime: formatT1(reply.at) });
  if (reply.type !== 'Refused') throw new Error(`a change of a watchlist was answered ${reply.type}`);
  return decided(badRequest('name', refusalText(reply.refusal, { userId })));
}
