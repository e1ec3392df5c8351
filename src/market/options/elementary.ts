/**
 * Exponential, logarithm and the normal distribution from additions, multiplications, divisions and square roots only.
 * ECMAScript leaves `Math.exp` and its kin to the machine; prices must be the same on every machine, to the last bit.
 */

const LN2_HIGH = 0.693_147_180_369_123_8;
const LN2_LOW = 1.908_214_929_270_587_7e-10;
const LOG2_E = Math.LOG2E;
const LN2 = Math.LN2;
const SMALLEST_EXPONENT = -1_022;
const LARGEST_EXPONENT = 1_023;
const POWERS_OF_TWO = powersOfTwo();

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(LARGEST_EXPONENT - SMALLEST_EXPONENT + 1);
  powers[-SMALLEST_EXPONENT] = 1;
  for (let e = 1; e <= LARGEST_EXPONENT; e += 1)
    powers[e - SMALLEST_EXPONENT] = at(powers, e - 1 - SMALLEST_EXPONENT) * 2;
  for (let e = -1; e >= SMALLEST_EXPONENT; e -= 1) {
    powers[e - SMALLEST_EXPONENT] = at(powers, e + 1 - SMALLEST_EXPONENT) / 2;
  }
  return powers;
}

function at(values: Float64Array, index: number): number {
  return values[index] as number;
}

/** e to the power of `x`, right to about 1 part in 10^15; 0 below the range of normal numbers. */
export function exp(x: number): number {
  const k = Math.floor(x * LOG2_E + 0.5);
  if (k < SMALLEST_EXPONENT) return 0;
  if (k > LARGEST_EXPONENT) return Number.POSITIVE_INFINITY;
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1 + r * 0.076_923_076_923_076_93;
  sum = 1 + r * sum * 0.083_333_333_333_333_33;
  sum = 1 + r * sum * 0.090_909_090_909_090_9;
  sum = 1 + r * sum * 0.1;
  sum = 1 + r * sum * 0.111_111_111_111_111_1;
  sum = 1 + r * sum * 0.125;
  sum = 1 + r * sum * 0.142_857_142_857_142_85;
  sum = 1 + r * sum * 0.166_666_666_666_666_66;
  sum = 1 + r * sum * 0.2;
  sum = 1 + r * sum * 0.25;
  sum = 1 + r * sum * 0.333_333_333_333_333_3;
  sum = 1 + r * sum * 0.5;
  sum = 1 + r * sum;
  return sum * at(POWERS_OF_TWO, k - SMALLEST_EXPONENT);
}

/** The natural logarithm of a positive number, right to about 1 part in 10^15. */
export function log(x: number): number {
  let mantissa = x;
  let exponent = 0;
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent += 1;
  }
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    exponent -= 1;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  const q = s * s;
  let sum = 0.047_619_047_619_047_616 + q * 0.043_478_260_869_565_216;
  sum = 0.052_631_578_947_368_42 + q * sum;
  sum = 0.058_823_529_411_764_705 + q * sum;
  sum = 0.066_666_666_666_666_67 + q * sum;
  sum = 0.076_923_076_923_076_93 + q * sum;
  sum = 0.090_909_090_909_090_9 + q * sum;
  sum = 0.111_111_111_111_111_1 + q * sum;
  sum = 0.142_857_142_857_142_85 + q * sum;
  sum = 0.2 + q * sum;
  sum = 0.333_333_333_333_333_3 + q * sum;
  sum = 1 + q * sum;
  return exponent * LN2 + 2 * s * sum;
}

const ONE_OVER_ROOT_TWO_PI = 0.398_942_280_401_432_7;

/** The density of the standard normal distribution. */
export function normalDensity(x: number): number {
  return ONE_OVER_ROOT_TWO_PI * exp(-0.5 * x * x);
}

const GRID_STEPS = 32;
const GRID_LIMIT = 9;
const GRID_SIZE = 2 * GRID_LIMIT * GRID_STEPS + 1;
const GRID_DENSITY = new Float64Array(GRID_SIZE);
const GRID_CUMULATIVE = cumulativeGrid();

function cumulativeGrid(): Float64Array {
  const grid = new Float64Array(GRID_SIZE);
  for (let i = 0; i < GRID_SIZE; i += 1) {
    const x = i / GRID_STEPS - GRID_LIMIT;
    GRID_DENSITY[i] = normalDensity(x);
    grid[i] = x > 0 ? 1 - lowerTail(-x) : lowerTail(x);
  }
  return grid;
}

/** The cumulative normal for x <= 0: the power series near 0, the continued fraction of the tail beyond. */
function lowerTail(x: number): number {
  if (x > -3) {
    let term = x;
    let sum = x;
    for (let n = 3; n < 121; n += 2) {
      term *= (x * x) / n;
      sum += term;
    }
    return 0.5 + normalDensity(x) * sum;
  }
  let fraction = -x;
  for (let n = 160; n >= 1; n -= 1) fraction = -x + n / fraction;
  return normalDensity(x) / fraction;
}

/**
 * The cumulative standard normal distribution, right to about 10^-15: the Taylor series around the nearest grid point.
 */
export function normalCumulative(x: number): number {
  if (x <= -GRID_LIMIT) return 0;
  if (x >= GRID_LIMIT) return 1;
  const i = Math.floor((x + GRID_LIMIT) * GRID_STEPS + 0.5);
  const a = i / GRID_STEPS - GRID_LIMIT;
  const h = x - a;
  const a2 = a * a;
  const third = a2 - 1;
  const fourth = a * (3 - a2);
  const fifth = a2 * (a2 - 6) + 3;
  const sixth = a * (a2 * (10 - a2) - 15);
  const seventh = a2 * (a2 * (a2 - 15) + 45) - 15;
  let series = sixth / 720 + (h * seventh) / 5_040;
  series = fifth / 120 + h * series;
  series = fourth / 24 + h * series;
  series = third / 6 + h * series;
  series = -a / 2 + h * series;
  return at(GRID_CUMULATIVE, i) + at(GRID_DENSITY, i) * h * (1 + h * series);
}

/** The x whose cumulative normal is `probability`, for probabilities in (0, 1): bisection, for tables. */
export function normalQuantile(probability: number): number {
  let low = -GRID_LIMIT;
  let high = GRID_LIMIT;
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (normalCumulative(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
