/**
 * The rows of a user's events: for each the row that its operation would answer at this moment, made by the very
 * function of that operation, and given out when it is durable.
 */

import { must } from '../../base/assert.ts';
import type { AccountId, OrderNumber } from '../../base/ids.ts';
import { positionKey } from '../../core/account.ts';
import { shownPosition } from '../../core/query.ts';
import type { State } from '../../core/state.ts';
import type { Views } from '../../views/views.ts';
import type { GatewayParts } from '../deps.ts';
import { limitText } from '../endpoints/account/limit.ts';
import { positionText } from '../endpoints/account/position-book.ts';
import { gttText } from '../endpoints/gtt/gtt-row.ts';
import { alertText } from '../endpoints/lists/alert-fields.ts';
import { orderText } from '../endpoints/orders/order-book.ts';
import { tradeText } from '../endpoints/orders/trade-book.ts';
import type { AccountEvent } from './account-change.ts';
import { accountOfOrder } from './account-events.ts';
import { concernOf } from './concern.ts';
import type { AccountOfOrder } from './record-changes.ts';

type RowParts = Pick<GatewayParts, 'engine' | 'instruments' | 'market' | 'avgModel' | 'positionTexts'>;

/** A user's rows. */
export class StreamRows {
  private readonly parts: RowParts;
  private readonly account: AccountId;
  private readonly userId: string;
  private readonly accountOf: AccountOfOrder;

  constructor(parts: RowParts, account: AccountId, userId: string) {
    this.parts = parts;
    this.account = account;
    this.userId = userId;
    this.accountOf = accountOfOrder(parts.engine);
  }

  /**
   * The rows of events as JSON, as they stand now, when everything that they show is durable. Blank for a row that its
   * book does not have any more: that of a day that has ended.
   */
  textsOf(events: readonly AccountEvent[]): readonly string[] | Promise<readonly string[]> {
    return this.parts.engine.read(
      (state, views) => {
        // A record, and those after it, may change the same row again and again.
        const known = new Map<string, string>();
        return events.map((event) => {
          const name = nameOf(event);
          const text = known.get(name) ?? this.textOf(event, state, views);
          known.set(name, text);
          return text;
        });
      },
      concernOf(this.account, events, this.accountOf),
    );
  }

  /** True for an order whose client asked for each of its frames twice. Source: docs/outcomes.md. */
  isDoubled(order: OrderNumber): boolean {
    return this.parts.engine.glance(({ orders }) => orders.get(order)?.scenario?.duplicateFrame === true);
  }

  private textOf(event: AccountEvent, state: State, views: Views): string {
    const { parts, userId } = this;
    const account = must(state.accounts.at(this.account), 'a session has an account');
    switch (event.type) {
      case 'order': {
        const order = state.orders.get(event.order);
        return order === undefined ? '' : orderText(parts.instruments, views, order, userId);
      }
      case 'trade': {
        const fill = views.trades.fillOf(account.id, event.traded.trade);
        return fill === undefined ? '' : tradeText(parts.instruments, views.history, fill, userId);
      }
      case 'position': {
        const key = positionKey(event.instrument, event.product);
        const row = shownPosition(account, key, views.conversions.originsOf(account.id));
        const reader = { account: account.id, userId };
        return row === undefined ? '' : positionText(parts, views, reader, row, parts.engine.now());
      }
      case 'limit':
        return limitText(account, parts.engine.now());
      case 'alert': {
        const alert = state.alerts.get(account.id, event.alert);
        return alert === undefined ? '' : alertText(parts.instruments, alert);
      }
      case 'gtt': {
        const gtt = state.gtts.get(event.gtt);
        return gtt === undefined ? '' : gttText(parts.instruments, gtt, userId);
      }
      default:
        return '';
    }
  }
}

/** Events of the same name show the same row. */
function nameOf(event: AccountEvent): string {
  switch (event.type) {
    case 'order':
      return `order ${event.order}`;
    case 'trade':
      return `trade ${event.traded.trade}`;
    case 'position':
      return `position ${event.instrument} ${event.product}`;
    case 'alert':
      return `alert ${event.alert}`;
    case 'gtt':
      return `gtt ${event.gtt}`;
    default:
      return event.type;
  }
}
