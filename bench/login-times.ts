import { must } from '../src/base/assert.ts';
import { Random } from '../src/base/random.ts';
import { dayOfCivil, HOUR_MS, istInstant } from '../src/base/time.ts';
import { FuzzWorld, sha256 } from '../test/property/fuzz/fuzz-world.ts';

/*
 * Whether the time of a failed login distinguishes a user who exists from one who does not: `node bench/login-times.ts
 * [pairs]`. Logins of both kinds come in turn, in an order that is drawn, through the real path; two statistics over
 * both samples say how far apart they are.
 */

const PAIRS = Number(process.argv[2] ?? 200);
const NOW = istInstant(must(dayOfCivil(2026, 11, 17), 'a date'), 11 * HOUR_MS);
const QUANTILES = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99];
/** The value that either statistic stays under in 99 of 100 runs when both samples are of one kind. */
const KOLMOGOROV_LIMIT = 1.628;
const WELCH_LIMIT = 2.576;

const world = await FuzzWorld.open({ regime: 'always', at: NOW, rateLimit: 'off', slicing: 'off' });
const known = must(world.users[0], 'a user').plain;
const random = new Random(1);
let tries = 0;

/** Milliseconds of one failed login, each from an address of its own so that no throttle answers. */
async function timeOf(userId: string): Promise<number> {
  tries += 1;
  const { vendorCode, apiKey } = known;
  const attempt = { userId, passwordDigest: sha256('wrong'), totp: '123456', vendorCode, apiKey };
  const start = process.hrtime.bigint();
  const result = await world.deps.logins.login({ ...attempt, address: `address ${tries}` });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (result.ok || result.why !== 'InvalidCredentials') throw new Error('a wrong login was not refused as one');
  return time;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

/** The distance of two means in standard errors. */
function welch(a: readonly number[], b: readonly number[]): number {
  return (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length);
}

/** The largest distance of two distributions, scaled by the sizes of their samples. */
function kolmogorov(a: readonly number[], b: readonly number[]): number {
  const share = (values: readonly number[], limit: number) =>
    values.filter((value) => value <= limit).length / values.length;
  const distances = [...a, ...b].map((limit) => Math.abs(share(a, limit) - share(b, limit)));
  return Math.max(...distances) * Math.sqrt((a.length * b.length) / (a.length + b.length));
}

function quantilesOf(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return QUANTILES.map((q) => `p${q * 100} ${sorted[Math.floor(q * (sorted.length - 1))]?.toFixed(2)}`).join('  ');
}

const times = { known: [] as number[], unknown: [] as number[] };
for (let pair = -5; pair < PAIRS; pair += 1) {
  const order = random.chance(50) ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
  for (const kind of order) {
    const time = await timeOf(kind === 'known' ? known.userId : `ZZ${tries}`);
    if (pair >= 0) times[kind].push(time);
  }
}
console.log(`known    ${quantilesOf(times.known)} ms`);
console.log(`unknown  ${quantilesOf(times.unknown)} ms`);
console.log(
  `Welch's t ${welch(times.known, times.unknown).toFixed(2)} (one kind: within ${WELCH_LIMIT} in 99 of 100 runs)`,
);
console.log(
  `Kolmogorov-Smirnov ${kolmogorov(times.known, times.unknown).toFixed(2)} (one kind: below ${KOLMOGOROV_LIMIT} in 99 of 100 runs)`,
);
