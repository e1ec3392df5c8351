/**
 * The answers of the operator's port that the page shows; docs/operating/control.md names the requests. Amounts are
 * rupees as text, and the page computes none of them.
 */

interface Results {
  readonly realised: string;
  readonly open: string;
  readonly result: string;
}

export interface RiskRow extends Results {
  readonly userId: string;
  readonly name: string;
  readonly marginUsed: string;
  readonly available: string;
  readonly total: string;
  readonly usedPercent: string;
  readonly largest: string;
  readonly concentration: string;
  readonly positions: number;
  readonly orders: number;
  readonly killed: boolean;
}

export interface RiskReport {
  readonly time: string;
  readonly totals: Results & {
    readonly accounts: number;
    readonly withPositions: number;
    readonly losing: number;
    readonly short: number;
    readonly marginUsed: string;
    readonly available: string;
  };
  readonly rows: readonly RiskRow[];
}

export interface UnderlyingRow extends Results {
  readonly underlying: string;
  readonly span: string;
  readonly exposure: string;
  readonly premium: string;
  readonly cash: string;
  readonly stake: string;
  readonly share: string;
  readonly positions: number;
}

export interface PositionRow extends Results {
  readonly exchange: string;
  readonly symbol: string;
  readonly product: string;
  readonly netQuantity: number;
  readonly averagePrice: string;
  readonly lastPrice: string;
}

export interface OpenOrderRow {
  readonly order: number;
  readonly receivedAt: string;
  readonly exchange: string;
  readonly symbol: string;
  readonly side: string;
  readonly product: string;
  readonly priceType: string;
  readonly price: string;
  readonly trigger: string;
  readonly open: number;
  readonly quantity: number;
  readonly status: string;
}

export interface UserRisk extends RiskRow {
  readonly time: string;
  readonly underlyings: readonly UnderlyingRow[];
  readonly underlyingCount: number;
  readonly positionRows: readonly PositionRow[];
  readonly positionRowCount: number;
  readonly openOrders: readonly OpenOrderRow[];
  readonly openOrderCount: number;
}

export interface UserRow {
  readonly userId: string;
  readonly name: string;
  readonly demo: boolean;
  readonly totp: boolean;
  readonly keyGoodUntil: string;
  readonly sessions: number;
  readonly orders: number;
  readonly addresses: readonly string[];
  readonly fixed: boolean;
  readonly orderRate?: { readonly perSecond: number };
  readonly riskGroup?: {
    readonly name: string;
    readonly orderValueCap: string;
    readonly products: readonly string[];
    readonly exchanges: readonly string[];
  };
}

export interface LimitReport {
  readonly figures: readonly {
    readonly name: string;
    readonly amount: string;
    readonly entries: readonly { readonly time?: string; readonly amount: string; readonly text: string }[];
  }[];
}

export interface SwitchRow {
  readonly kind: string;
  readonly name: string;
  readonly since: string;
  readonly by: string;
  readonly why: string;
}

export interface TrailLine {
  readonly n: number;
  readonly utc: number;
  readonly kind: string;
  readonly op?: string;
  readonly user?: string;
  readonly address?: string;
  readonly by?: string;
  readonly why?: string;
  readonly order?: number;
  readonly seq?: number;
  readonly code?: number;
  readonly rule?: string;
  readonly message?: string;
  readonly what?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

export interface TrailReport {
  readonly lines: readonly TrailLine[];
  readonly reached?: number;
}

export interface RecordRow {
  readonly seq: number;
  readonly at: string;
  readonly command: string;
  readonly user?: string;
  readonly order?: number;
  readonly by?: string;
  readonly why?: string;
  readonly events: readonly string[];
}

interface KeptFolder {
  readonly count: number;
  readonly bytes: number;
  readonly newest: readonly { readonly name: string; readonly bytes: number; readonly changedAt: number }[];
}

export interface StatusReport {
  readonly missing: readonly string[];
  readonly uptimeSeconds: number;
  readonly facts: {
    readonly market: string;
    readonly seed: number;
    readonly hours: string;
    readonly instruments: number;
    readonly data: string;
  };
  readonly clock: {
    readonly market: string;
    readonly wall: string;
    readonly tradingDay: string;
    readonly apartSeconds: number;
    readonly dayEnd: string;
    readonly phases: readonly {
      readonly exchange: string;
      readonly phase: string;
      readonly next?: { readonly phase: string; readonly at: string };
    }[];
  };
  readonly load: {
    readonly loopDelay: { readonly middle: number; readonly p99: number; readonly longest: number };
    readonly marketLagSeconds: number;
    readonly heldCommands: number;
    readonly waitingAnswers: number;
    readonly requestsRefused: number;
    readonly memory: { readonly resident: number; readonly heapUsed: number; readonly heapTotal: number };
  };
  readonly journal: {
    readonly lastSeq: number;
    readonly durableSeq: number;
    readonly hash: string;
    readonly groups: number;
    readonly lastCommitMs: number;
    readonly longestCommitMs: number;
    readonly runningCommitMs: number;
    readonly files: { readonly segments: KeptFolder; readonly snapshots: KeptFolder; readonly trail: KeptFolder };
  };
  readonly wire: {
    readonly connections: number;
    readonly turnedAway: number;
    readonly sockets: { readonly open: number; readonly subscriptions: number; readonly waitingBytes: number };
    readonly sessions: number;
  };
  readonly books: {
    readonly accounts: number;
    readonly ordersToday: number;
    readonly gtts: number;
    readonly switches: number;
  };
}
