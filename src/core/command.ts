/**
 * The requests to the core, in the imperative: from clients, operators, the risk desk and the engine's own duties. They
 * are journaled with their events. `decide.ts` answers them.
 */

import type { AccountId, InstrumentId, OrderNumber, Tick } from '../base/ids.ts';
import type { Paise, Price, Quantity } from '../base/money.ts';
import type { ClockSpeed, EpochMs, IstDay } from '../base/time.ts';
import type { OrderRate } from './access/access-terms.ts';
import type { BranchPoint } from './branch/branch-point.ts';
import type { RiskGroup } from './broker/account/risk-group-terms.ts';
import type { CorporateActionKind } from './broker/corporate-actions/corporate-action.ts';
import type { CancelGtt, FireGtt, ModifyGtt, PlaceGtt } from './broker/gtt/gtt-commands.ts';
import type { DayEndStep } from './broker/settlement/day-end-steps.ts';
import type { ShareBandPercent } from './exchange/guards/share-band.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import type { CancelAlert, DeleteWatchlist, PlaceAlert, SaveWatchlist } from './lists/list-commands.ts';
import type { OrderTags, OrderTerms, Product, ProtectionE4, Side } from './order.ts';
import type { OrderScenario } from './scenarios/order-scenario.ts';
import type { MeetOutcome } from './scenarios/outcome-events.ts';
import type { ClearScenarios, SetScenario, UseScenario } from './scenarios/rules/scenario-commands.ts';
import type { SwitchTarget } from './switches/switch.ts';
import type { SquareOffSegment } from './trading-days.ts';
import type { WallStamped } from './wall-stamp.ts';

export interface PlaceOrder {
  readonly type: 'PlaceOrder';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly product: Product;
  /** `price` is 0 for market orders: admission sets the protected price. */
  readonly terms: OrderTerms;
  readonly protection?: ProtectionE4;
  readonly remarks: string;
  readonly tags?: OrderTags;
  /** Set while outcomes can be asked for, and never otherwise. Source: docs/outcomes.md. */
  readonly scenario?: OrderScenario;
  readonly idempotency?: IdempotencyKey;
  /**
   * Set when the risk desk squares a position off: neither margin nor value stops the order. Source: market-rules
   * R2.24.
   */
  readonly squareOff?: true;
}

export interface ModifyOrder {
  readonly type: 'ModifyOrder';
  readonly account: AccountId;
  readonly order: OrderNumber;
  /** All terms asked for: the gateway has filled in those that the client left out from the order. */
  readonly terms: OrderTerms;
  readonly protection?: ProtectionE4;
}

export interface CancelOrder {
  readonly type: 'CancelOrder';
  readonly account: AccountId;
  readonly order: OrderNumber;
}

export interface ConvertPosition {
  readonly type: 'ConvertPosition';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly from: Product;
  readonly to: Product;
  readonly quantity: Quantity;
  /** The side and age of the quantity to convert. Source: market-rules R5.13. */
  readonly side: Side;
  readonly age: 'day' | 'carried';
}

/**
 * Sends an order that waits at the broker to the exchange. Nothing happens when its hour has not come, or when it no
 * longer waits. Source: market-rules R2.18.
 */
export interface ReleaseOrder {
  readonly type: 'ReleaseOrder';
  readonly order: OrderNumber;
}

/**
 * Gives an order of the risk desk the price that the market has now, if the market has gone past the order's limit.
 * Source: market-rules R2.24, R3.7.
 */
export interface RepriceOrder {
  readonly type: 'RepriceOrder';
  readonly order: OrderNumber;
}

/** The market has come to a tick. Journaled only when this changed something. */
export interface MoveMarket {
  readonly type: 'MoveMarket';
  readonly instrument: InstrumentId;
  readonly tick: Tick;
}

/**
 * Squares a segment off: its open orders are cancelled, and no intraday position is opened in it any more today.
 * Idempotent. For deliveries that are not paid for, it finds those that became so since the last time. Source:
 * market-rules R2.23, R2.24, R7.4.
 */
export interface SquareOff {
  readonly type: 'SquareOff';
  readonly day: IstDay;
  readonly segment: SquareOffSegment;
  /** Its portion of the open orders; absent for the first. */
  readonly portion?: number;
  /**
   * The accounts whose deliveries are looked at: those from `from` on and below `upTo`; without them from the first,
   * and up to the last.
   */
  readonly from?: AccountId;
  readonly upTo?: AccountId;
}

/** Checks whether an index has moved so far that the whole market halts. Source: market-rules R1.49. */
export interface CheckBreaker {
  readonly type: 'CheckBreaker';
}

/**
 * Checks whether losses on intraday positions have gone too far for the account's funds. Source: market-rules R4.35.
 */
export interface CheckLosses {
  readonly type: 'CheckLosses';
  /** The accounts from `from` on and below `upTo`; without them from the first, and up to the last. */
  readonly from?: AccountId;
  readonly upTo?: AccountId;
}

/**
 * One step of the end of a trading day. Idempotent: a step that was done is not done again. Source: market-rules R7.5.
 */
export interface EndDay {
  readonly type: 'EndDay';
  readonly day: IstDay;
  readonly step: DayEndStep;
  /** Its portion of the accounts; absent for the first. */
  readonly portion?: number;
}

/** A new trading day begins. Idempotent: a day that has begun is not begun again. */
export interface RollDay {
  readonly type: 'RollDay';
  readonly day: IstDay;
  /** Its portion of the accounts; absent for the first. */
  readonly portion?: number;
}

/**
 * Takes the figures of margins from the market again at a tick, and measures every portfolio by them. Source:
 * market-rules R4.11.
 */
export interface ReviseMargins {
  readonly type: 'ReviseMargins';
  readonly tick: Tick;
  /** Its portion of the accounts; absent for the first. */
  readonly portion?: number;
  /**
   * Digests of the SPAN files that are used until the day ends, one for each segment. Those in force stay when this is
   * absent.
   */
  readonly spanFiles?: readonly string[];
}

export interface RegisterUser extends WallStamped {
  readonly type: 'RegisterUser';
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** Password hash, TOTP secret, vendor code and API key digest, sealed: the core and the journal cannot read them. */
  readonly sealedCredentials: string;
  readonly usesTotp: boolean;
  readonly demo: boolean;
}

/** Money paid in by an operator. */
export interface DepositCash {
  readonly type: 'DepositCash';
  readonly account: AccountId;
  readonly amount: Paise;
  /** True for the opening balance (`cash`), false for money of the day (`payin`). */
  readonly opening: boolean;
}

/**
 * Money paid out to the client. An amount above the money that is free without collateral and open losses is refused.
 */
export interface PayOutCash {
  readonly type: 'PayOutCash';
  readonly account: AccountId;
  readonly amount: Paise;
}

/** Pledges settled shares as collateral. Source: market-rules R5.23. */
export interface PledgeShares {
  readonly type: 'PledgeShares';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly quantity: Quantity;
}

/** Gives pledged shares back. Refused while their value as collateral is in use. */
export interface ReleaseShares {
  readonly type: 'ReleaseShares';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly quantity: Quantity;
}

/** Shares credited by an operator. */
export interface CreditHolding {
  readonly type: 'CreditHolding';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly quantity: Quantity;
  /** The cost of the shares, for the average price. */
  readonly cost: Paise;
}

/**
 * Puts the contracts of an underlying into their ban period or takes them out. Idempotent. Source: market-rules R4.36.
 */
export interface SetBan {
  readonly type: 'SetBan';
  readonly underlying: InstrumentId;
  readonly banned: boolean;
  /** The name of the person who asked, for the journal. */
  readonly by: string;
}

/**
 * Compares the open interest in the contracts on a share with its limit, as the day began. Idempotent. Source:
 * market-rules R4.36.
 */
export interface ReviewBan {
  readonly type: 'ReviewBan';
  readonly underlying: InstrumentId;
}

/** Sets a switch of an operator or lifts it. Idempotent. Source: market-rules R9.6. */
export interface SetSwitch {
  readonly type: 'SetSwitch';
  readonly target: SwitchTarget;
  readonly on: boolean;
  /** The name of the person who asked, and the reason, for the journal. */
  readonly by: string;
  readonly why: string;
}

/**
 * Gives the market another speed or a step, and at a start another instant. The clock of the market is then no longer
 * the wall's. Idempotent. Source: docs/time.md.
 */
export interface SetClock extends WallStamped {
  readonly type: 'SetClock';
  /** As of a `ClockLine`. */
  readonly speed: ClockSpeed;
  /** As of a `ClockLine`: a step, always with the speed `max`. */
  readonly until?: EpochMs;
  readonly eventOf?: AccountId;
  /** The instant of the market from which on it has the speed; that of the command when absent. Never before it. */
  readonly market?: EpochMs;
  /** As of a `ClockLine`; that of the line before when absent. */
  readonly asked?: EpochMs;
  readonly by: string;
  readonly why: string;
}

/**
 * Begins a branch: the history before this record is that of another data folder. Its market stands still from here on.
 * Source: docs/branches.md.
 */
export interface BeginBranch extends WallStamped {
  readonly type: 'BeginBranch';
  readonly point: BranchPoint;
  /**
   * The instant at which its market stands, where the parent's clock had jumped beyond it. Absent where the market
   * stands where that clock was.
   */
  readonly market?: EpochMs;
  readonly by: string;
  readonly why: string;
}

/** Notes how far the market clock has come, so that a start goes on from there. Idempotent. */
export interface MarkClock {
  readonly type: 'MarkClock';
}

/** Cancels open orders that a kill switch stops: a bounded number, so that a record stays small. Idempotent. */
export interface CancelKilled {
  readonly type: 'CancelKilled';
  readonly orders: readonly OrderNumber[];
}

/** Widens the price band of an instrument for the rest of the day. Source: market-rules R1.40, R1.42. */
export interface WidenBand {
  readonly type: 'WidenBand';
  readonly instrument: InstrumentId;
  /** How far prices may be from the base on each side, in percent of it. */
  readonly percent: number;
  readonly by: string;
  readonly why: string;
}

/**
 * Gives a share without contracts another fixed price band from the next trading day on. Source: market-rules R1.40.
 */
export interface SetShareBand {
  readonly type: 'SetShareBand';
  readonly instrument: InstrumentId;
  readonly percent: ShareBandPercent;
  readonly by: string;
  readonly why: string;
}

/**
 * Fixes the addresses that an account's orders may come from, the primary one first. With an empty list they may come
 * from anywhere. Idempotent. Source: market-rules R9.4.
 */
export interface SetAddresses extends WallStamped {
  readonly type: 'SetAddresses';
  readonly account: AccountId;
  /** At most two, each in its canonical form. */
  readonly addresses: readonly string[];
  readonly by: string;
  readonly why: string;
}

/** Gives an account another API key. Source: market-rules R9.8. */
export interface RenewApiKey extends WallStamped {
  readonly type: 'RenewApiKey';
  readonly account: AccountId;
  /** As in `RegisterUser`, with another key. */
  readonly sealedCredentials: string;
  readonly by: string;
  readonly why: string;
}

/**
 * Gives an account an order rate of its own; without `rate` takes it away. Idempotent. Source: market-rules R9.2, R9.5.
 */
export interface SetOrderRate {
  readonly type: 'SetOrderRate';
  readonly account: AccountId;
  readonly rate?: OrderRate;
  readonly by: string;
  readonly why: string;
}

/**
 * Changes the named parts of an account's risk group and leaves the others. Without a change the account gets the usual
 * one again. Idempotent. Source: market-rules R0.9, R3.5, R3.28.
 */
export interface SetRiskGroup {
  readonly type: 'SetRiskGroup';
  readonly account: AccountId;
  readonly change?: Partial<RiskGroup>;
  readonly by: string;
  readonly why: string;
}

/** A company announces what it does to its shares on an ex-date. Source: market-rules R7.6. */
export interface AnnounceCorporateAction {
  readonly type: 'AnnounceCorporateAction';
  readonly kind: CorporateActionKind;
  /** Every listing of the share. */
  readonly listings: readonly [InstrumentId, ...InstrumentId[]];
  readonly exDay: IstDay;
  /** `after` units stand for `before` units; 1 and 1 for a dividend. */
  readonly before: number;
  readonly after: number;
  /** Paise for each unit; 0 unless it is a dividend. */
  readonly dividend: Price;
}

/** Takes an announced corporate action back. */
export interface WithdrawCorporateAction {
  readonly type: 'WithdrawCorporateAction';
  readonly isin: string;
  readonly exDay: IstDay;
}

export interface OpenSession extends WallStamped {
  readonly type: 'OpenSession';
  readonly account: AccountId;
  /** SHA-256 of the token in hex: the token itself is never stored. */
  readonly tokenDigest: string;
  /** The RFC 6238 step of the accepted one-time code, when the account uses TOTP. */
  readonly totpStep?: number;
}

/** Records that a session is in use, so that idle time survives a restart. Sent rarely. */
export interface TouchSession extends WallStamped {
  readonly type: 'TouchSession';
  readonly tokenDigest: string;
}

export interface CloseSession {
  readonly type: 'CloseSession';
  readonly tokenDigest: string;
}

/** Ends every session that has expired. Source: contract W24. */
export interface ExpireSessions extends WallStamped {
  readonly type: 'ExpireSessions';
}

export type Command =
  | PlaceOrder
  | ModifyOrder
  | CancelOrder
  | ConvertPosition
  | ReleaseOrder
  | RepriceOrder
  | MeetOutcome
  | PlaceGtt
  | ModifyGtt
  | CancelGtt
  | FireGtt
  | MoveMarket
  | SquareOff
  | CheckLosses
  | CheckBreaker
  | EndDay
  | RollDay
  | ReviseMargins
  | RegisterUser
  | DepositCash
  | PayOutCash
  | CreditHolding
  | PledgeShares
  | ReleaseShares
  | SetBan
  | ReviewBan
  | SetSwitch
  | SetClock
  | MarkClock
  | BeginBranch
  | SetScenario
  | ClearScenarios
  | UseScenario
  | CancelKilled
  | WidenBand
  | SetShareBand
  | SetAddresses
  | SetOrderRate
  | RenewApiKey
  | SetRiskGroup
  | AnnounceCorporateAction
  | WithdrawCorporateAction
  | SaveWatchlist
  | DeleteWatchlist
  | PlaceAlert
  | CancelAlert
  | OpenSession
  | TouchSession
  | CloseSession
  | ExpireSessions;

/** A command with its place in the one order of all commands. `at` never goes back. */
export interface Sequenced {
  readonly seq: number;
  readonly at: EpochMs;
  readonly command: Command;
}
