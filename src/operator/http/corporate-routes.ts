/**
 * Operator routes for corporate actions.
 * They check the form of a request; the rules are in corporate-action-operations.ts.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { parsePrice } from '../../base/decimal.ts';
import { EXCHANGES } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type IstDay, parseIsoDay } from '../../base/time.ts';
import { CORPORATE_ACTION_KINDS } from '../../core/broker/corporate-actions/corporate-action.ts';
import {
  type Announcement,
  bonusTerms,
  type CorporateActionOperations,
  parseRatio,
  splitTerms,
} from '../operations/corporate-action-operations.ts';

const SHARE = {
  exchange: Type.Enum(['NSE', 'BSE']),
  symbol: Type.String({ minLength: 1, maxLength: 64 }),
  exDate: Type.String(),
};
const NewAction = Type.Object(
  {
    ...SHARE,
    kind: Type.Enum([...CORPORATE_ACTION_KINDS]),
    ratio: Type.Optional(Type.String()),
    rupees: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const Withdrawal = Type.Object(SHARE, { additionalProperties: false });

/**
 * Corporate actions: the list, announcements and withdrawals. A bonus has a `ratio` of new to held shares, a split one
 * of the old to the new face value, a dividend `rupees` a share.
 */
export function addCorporateRoutes(server: FastifyInstance, operations: CorporateActionOperations): void {
  server.get('/corporate-actions', () => operations.list());
  server.post('/corporate-actions', { schema: { body: NewAction } }, async (request, reply) => {
    const body = request.body as Static<typeof NewAction>;
    const announcement = announcementOf(body);
    if (!announcement.ok) return refuse(reply, 400, announcement.error);
    const done = await operations.announce(shareOf(body), announcement.value);
    return done.ok ? reply.code(201).send(done.value) : refuse(reply, 409, done.error);
  });
  server.post('/corporate-actions/withdrawals', { schema: { body: Withdrawal } }, async (request, reply) => {
    const body = request.body as Static<typeof Withdrawal>;
    const exDay = parseIsoDay(body.exDate);
    if (exDay === undefined) return refuse(reply, 400, notADay(body.exDate));
    const done = await operations.withdraw(shareOf(body), exDay);
    return done.ok ? { status: 'done' } : refuse(reply, 409, done.error);
  });
}

function shareOf({ exchange, symbol }: Static<typeof Withdrawal>) {
  return { exchange: EXCHANGES.find((known) => known === exchange) ?? 'NSE', symbol };
}

function announcementOf({ kind, exDate, ratio, rupees }: Static<typeof NewAction>): Result<Announcement, string> {
  const exDay: IstDay | undefined = parseIsoDay(exDate);
  if (exDay === undefined) return fail(notADay(exDate));
  if (kind === 'dividend') {
    const dividend = ratio === undefined && rupees !== undefined ? parsePrice(rupees) : undefined;
    if (!dividend) return fail('a dividend has rupees above 0 and no ratio');
    return ok({ kind, exDay, before: 1, after: 1, dividend });
  }
  const numbers = rupees === undefined && ratio !== undefined ? parseRatio(ratio) : undefined;
  if (numbers === undefined) return fail(`a ${kind} has a ratio of two whole numbers, such as 1:1, and no rupees`);
  return ok({
    kind: kind === 'bonus' ? kind : 'split',
    exDay,
    ...(kind === 'bonus' ? bonusTerms : splitTerms)(numbers),
  });
}

function notADay(date: string): string {
  return `${JSON.stringify(date)} is not a date of the form YYYY-MM-DD`;
}

function refuse(reply: FastifyReply, code: number, error: string): FastifyReply {
  return reply.code(code).send({ error });
}
