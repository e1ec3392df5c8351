import type { AccountId, AlertNumber, GttNumber, OrderNumber } from '../base/ids.ts';
import type { EpochMs } from '../base/time.ts';
import type { Refusal } from './refusals/refusal.ts';
import type { ScenarioRule } from './scenarios/rules/scenario-rule.ts';

/** The answer to one command, released when its record is durable. */
export type Reply =
  /** The order has a number; whether it was then rejected is in the books. */
  | {
      readonly type: 'OrderPlaced';
      readonly order: OrderNumber;
      readonly at: EpochMs;
      /** Set where the placement was answered before, under its key. */
      readonly again?: true;
    }
  | { readonly type: 'OrderModified'; readonly order: OrderNumber; readonly at: EpochMs }
  | { readonly type: 'OrderCancelled'; readonly order: OrderNumber; readonly at: EpochMs }
  /** A cancellation is under way that will come too late, as the order's client asked. Source: docs/outcomes.md. */
  | { readonly type: 'CancelTaken'; readonly order: OrderNumber; readonly at: EpochMs }
  | { readonly type: 'GttPlaced'; readonly gtt: GttNumber; readonly at: EpochMs }
  | { readonly type: 'GttModified'; readonly gtt: GttNumber; readonly at: EpochMs }
  | { readonly type: 'GttCancelled'; readonly gtt: GttNumber; readonly at: EpochMs }
  | { readonly type: 'PositionConverted'; readonly at: EpochMs }
  | { readonly type: 'AlertPlaced'; readonly alert: AlertNumber; readonly at: EpochMs }
  | { readonly type: 'ScenarioSet'; readonly rule: ScenarioRule; readonly at: EpochMs }
  | { readonly type: 'UserRegistered'; readonly account: AccountId }
  /** The command is done, or there was nothing to do. */
  | { readonly type: 'Done'; readonly at: EpochMs }
  | { readonly type: 'Refused'; readonly refusal: Refusal; readonly at: EpochMs };
