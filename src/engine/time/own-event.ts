import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Event } from '../../core/event.ts';

/** The account of an order; `undefined` for an order of a day that is not kept. */
type AccountOfOrder = (order: OrderNumber) => AccountId | undefined;

/**
 * True for an event at which a step to the next event of an account ends: something happened to an order, a position, a
 * GTT or an alert of its own. Margins and places in a queue do not count. Source: docs/time.md.
 */
export function isOwnEvent(event: Event, account: AccountId, accountOf: AccountOfOrder): boolean {
  switch (event.type) {
    case 'OrderRejected':
    case 'StopTriggered':
    case 'OrderCancelled':
    case 'AfterMarketReleased':
    case 'OrderAcknowledged':
    case 'OrderReplaced':
      return accountOf(event.order) === account;
    case 'Traded':
      return event.buy?.account === account || event.sell?.account === account;
    case 'OrderReceived':
    case 'PositionSettled':
    case 'PositionConverted':
    case 'GttTriggered':
    case 'GttFired':
    case 'GttCancelled':
    case 'AlertFired':
    case 'AlertExpired':
      return event.account === account;
    default:
      return false;
  }
}
