/** The texts of clients of the V2 socket: subscriptions and their ends. */

import { EXCHANGES, type InstrumentId, instrumentId } from '../../base/ids.ts';
import { isJsonObject, jsonOf } from '../../base/json.ts';

const ACTIONS = ['subscribe', 'unsubscribe', 'subscribe-option-greeks', 'unsubscribe-option-greeks'] as const;
export type Action = (typeof ACTIONS)[number];

/** An action with its tokens, in the order of the client; a token may come twice. */
export interface Wish {
  readonly action: Action;
  readonly tokens: readonly string[];
}

/** `NSE:26000`. The tokens of contracts have up to 15 digits, and with these an id is still a safe integer. */
const TOKEN = /^([A-Z]{3}):([1-9][0-9]{0,14})$/;

/**
 * The wish of a text: `{"action":"subscribe","tokens":"NSE:26000|BSE:1"}`. `undefined` for every other text; its
 * tokens may be none. Nothing is ever answered: a frame that says so would stop some clients for good. Source:
 * docs/stream.md.
 */
export function wishOf(text: string): Wish | undefined {
  const fields = jsonOf(text);
  if (!isJsonObject(fields)) return undefined;
  const { action, tokens } = fields;
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined || typeof tokens !== 'string') return undefined;
  return { action: known, tokens: tokens.split('|') };
}

/** The id that a token stands for, listed or not; `undefined` for a text that is none. */
export function instrumentOf(token: string): InstrumentId | undefined {
  const [, segment, digits] = TOKEN.exec(token.trim()) ?? [];
  const exchange = EXCHANGES.find((one) => one === segment);
  return exchange === undefined ? undefined : instrumentId(exchange, Number(digits));
}
