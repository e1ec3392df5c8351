/**
 * Makes the demo users of a first start, with money and shares, and completes a start that was cut off.
 * Their file of secrets is in demo-file.ts.
 */
import { assert } from '../../base/assert.ts';
import { paise, quantity } from '../../base/money.ts';
import type { Result } from '../../base/result.ts';
import { type IssuedCredentials, issueCredentials } from '../operations/issued-credentials.ts';
import { type OperatorRefusal, operatorRefusalText, type UserOperations } from '../operations/user-operations.ts';
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts';

/** 10 lakh rupees. */
const OPENING_CASH = paise(10_00_000_00);

interface DemoPlan {
  readonly userId: string;
  readonly name: string;
  readonly usesTotp: boolean;
  /** Shares on NSE by trading symbol. */
  readonly shares: readonly (readonly [symbol: string, units: number])[];
}

/** The first has no one-time codes, so that a first trade by hand needs no second device. */
const PLANS: readonly DemoPlan[] = [
  {
    userId: 'SD1001',
    name: 'DEMO ONE',
    usesTotp: false,
    shares: [
      ['RELIANCE-EQ', 50],
      ['TCS-EQ', 20],
      ['ITC-EQ', 200],
    ],
  },
  {
    userId: 'SD1002',
    name: 'DEMO TWO',
    usesTotp: true,
    shares: [
      ['RELIANCE-EQ', 100],
      ['HDFCBANK-EQ', 60],
      ['INFY-EQ', 40],
    ],
  },
  {
    userId: 'SD1003',
    name: 'DEMO THREE',
    usesTotp: true,
    shares: [
      ['SBIN-EQ', 100],
      ['ICICIBANK-EQ', 50],
      ['TATASTEEL-EQ', 300],
    ],
  },
];

/**
 * Makes the demo users of a new data folder, or goes on where an earlier start was cut off: the secrets are written
 * first, then whoever and whatever is missing is added, then the file is marked as complete. Nobody else can have
 * changed these accounts before that, as the service does not listen yet. Returns the secrets that no start has
 * printed: see `markShown`.
 */
export async function completeDemoUsers(
  path: string,
  operations: UserOperations,
): Promise<readonly IssuedCredentials[]> {
  const known = readDemoFile(path);
  if (known?.complete) return known.unshown ? known.users : [];
  const users = known?.users ?? PLANS.map((plan) => issueCredentials(plan.userId, plan.usesTotp));
  const file: DemoFile = { complete: false, users };
  if (!known) writeDemoFile(path, file);
  for (const plan of PLANS) {
    const issued = users.find((user) => user.userId === plan.userId);
    assert(issued !== undefined, `the demo file lacks ${plan.userId}`);
    await completeUser(operations, plan, issued);
  }
  writeDemoFile(path, { complete: true, unshown: true, users });
  return users;
}

/** Notes that a start has printed the secrets: a start that could not listen has not, and the next one does. */
export function markShown(path: string): void {
  const known = readDemoFile(path);
  if (known?.complete && known.unshown) writeDemoFile(path, { complete: true, users: known.users });
}

async function completeUser(operations: UserOperations, plan: DemoPlan, issued: IssuedCredentials): Promise<void> {
  const { userId, name, usesTotp } = plan;
  if ((await operations.find(userId)) === undefined) {
    const email = `${userId.toLowerCase()}@demo.invalid`;
    done(await operations.registerWith(issued, { userId, name, email, usesTotp, demo: true }));
  }
  if ((await operations.inspect(userId, (account) => account.paidIn)) === 0) {
    done(await operations.deposit(userId, OPENING_CASH, true));
  }
  const credited = (await operations.inspect(userId, (account) => account.holdings.size)) ?? 0;
  // Shares are credited in the order of the plan, each with its own ISIN, so their number shows which are missing.
  for (const [symbol, units] of plan.shares.slice(credited)) {
    done(await operations.credit(userId, 'NSE', symbol, quantity(units)));
  }
}

function done(result: Result<unknown, OperatorRefusal>): void {
  assert(result.ok, result.ok ? '' : `demo users: ${operatorRefusalText(result.error)}`);
}
