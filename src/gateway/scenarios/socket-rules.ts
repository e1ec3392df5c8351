/**
 * The rules of operators that sockets meet: sockets that are cut, and gaps in the stream. A rule that is set while
 * sockets are open concerns them at once, all with one use; each of its other uses concerns the next socket that logs
 * in, or the next subscription. Source: docs/outcomes.md.
 */

import { must } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import { termsOf } from '../../core/scenarios/rules/scenario-effect.ts';
import type { ScenarioSet } from '../../core/scenarios/rules/scenario-rule.ts';
import type { DurableRecord } from '../../engine/feed/durable-record.ts';
import { type EnginePort, Unavailable } from '../../engine/port.ts';
import type { EventFeed } from '../stream/account-events.ts';
import { RuleUses } from './rule-uses.ts';

/** A socket whose user is logged in, as rules see it. */
export interface RuledSocket {
  /** Ends its connection at once, without a close frame. */
  cut(): void;
  /** Sends a gap on the channels of the user. */
  gap?(): void;
  /** Whether it follows channels that can have a gap. */
  readonly hasChannels?: boolean;
}

export interface SocketRulesParts {
  readonly engine: EnginePort;
  readonly feed: EventFeed;
  /** A rule on the market has changed what quotes show. */
  onMarketRule(): void;
  onFailure(error: unknown): void;
}

export class SocketRules {
  private readonly parts: SocketRulesParts;
  private readonly uses: RuleUses;
  private readonly open = new Map<RuledSocket, AccountId>();
  private readonly leave: () => void;

  constructor(parts: SocketRulesParts) {
    const { engine, feed } = parts;
    this.parts = parts;
    this.uses = new RuleUses(engine);
    const { subscription } = feed.subscribe(feed.last, this) as { subscription?: { close(): void } };
    const own = must(subscription, 'the head of the feed is a place in it');
    this.leave = () => own.close();
  }

  /** A socket has logged in; the way back says that it has ended. */
  enter(account: AccountId, socket: RuledSocket): () => void {
    this.open.set(socket, account);
    this.use('stream-drop', account, () => socket.cut());
    return () => this.open.delete(socket);
  }

  /** A socket follows channels of its user from now on. */
  subscribed(account: AccountId, socket: RuledSocket): void {
    this.use('stream-gap', account, () => socket.gap?.());
  }

  take(records: readonly DurableRecord[]): void {
    for (const { events } of records) {
      for (const event of events) {
        if (event.type === 'ScenarioSet') this.begin(event);
        else if (event.type === 'ScenariosCleared') this.parts.onMarketRule();
      }
    }
  }

  lost(error: Error): void {
    // It is always at the head and reads no journal. The feed ends the process for a subscriber that throws.
    throw error;
  }

  close(): void {
    this.leave();
  }

  private begin({ effect, account: only }: ScenarioSet): void {
    if (termsOf(effect).place === 'market') this.parts.onMarketRule();
    if (effect !== 'stream-drop' && effect !== 'stream-gap') return;
    const all = [...this.open].filter(([socket, account]) => {
      return (only === undefined || account === only) && (effect === 'stream-drop' || socket.hasChannels === true);
    });
    const [first] = all;
    if (first === undefined) return;
    this.use(effect, first[1], () => {
      for (const [socket] of all) {
        if (effect === 'stream-drop') socket.cut();
        else socket.gap?.();
      }
    });
  }

  private use(effect: 'stream-drop' | 'stream-gap', account: AccountId, then: () => void): void {
    const met = this.uses.meet({ account, operation: 'stream', names: () => false }, 'socket', effect);
    met?.then(
      (rule) => {
        if (rule !== undefined) then();
      },
      (error: unknown) => {
        if (!(error instanceof Unavailable)) this.parts.onFailure(error);
      },
    );
  }
}
