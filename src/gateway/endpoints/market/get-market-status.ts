import Type from 'typebox';
import type { Answer } from '../../answer.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { operation, success } from '../../operation.ts';
import { MARKET_STATUS, marketStatusOf } from './market-status.ts';

const answer = success('Market status retrieved successfully', MARKET_STATUS);

/** An operation of our own. Source: market-rules 2.1. */
export const getMarketStatus = operation({
  path: '/getMarketStatus',
  summary: 'The phase of each exchange, and the next one',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps): Answer | Promise<Answer> => deps.engine.read((state) => answer.write(marketStatusOf(deps, state))),
});
