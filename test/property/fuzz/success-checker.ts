import { type Matcher, T1, T2, T3, T4 } from '../../kit/wire/wire-checks.ts';
import { SLICED_ORDER, SUCCESSES, type SuccessShape } from './shapes.ts';

/** The fault of a value; `undefined` when it has none. */
type Check = (value: unknown, place: string) => string | undefined;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Where day, month and year stand in each shape of a time. */
const DATE_IN = new Map<RegExp, RegExp>([
  [T1, /(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})$/],
  [T2, /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})/],
  [T3, /^(?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d{4})/],
  [T4, /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/],
]);

/** True for a day that the calendar has. */
function isDate(text: string, pattern: RegExp): boolean {
  const { day = '', month = '', year = '' } = pattern.exec(text)?.groups ?? {};
  const number = MONTHS.includes(month) ? MONTHS.indexOf(month) + 1 : Number(month);
  return Number(day) >= 1 && Number(day) <= new Date(Date.UTC(Number(year), number, 0)).getUTCDate();
}

function textCheck(pattern: RegExp): Check {
  const date = DATE_IN.get(pattern);
  return (value, place) => {
    if (typeof value !== 'string') return `${place} is not a text`;
    if (!pattern.test(value)) return `${place} is ${JSON.stringify(value)}, not ${pattern}`;
    return date !== undefined && !isDate(value, date) ? `${place} is ${value}, no day of the calendar` : undefined;
  };
}

function numberCheck(value: unknown, place: string): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? undefined : `${place} is not a number`;
}

function listCheck(item: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return `${place} is not a list`;
    for (const [index, one] of value.entries()) {
      const wrong = item(one, place);
      if (wrong !== undefined) return `${wrong} (item ${index})`;
    }
    return undefined;
  };
}

/** The fields must be these, in this order; a name that ends in `?` may be absent. */
function recordCheck(fields: readonly (readonly [name: string, optional: boolean, check: Check])[]): Check {
  return (value, place) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${place} is not an object`;
    const keys = Object.keys(value);
    let next = 0;
    for (const [name, optional, check] of fields) {
      if (keys[next] !== name) {
        if (optional) continue;
        return `${place} has ${keys[next]} where ${name} belongs`;
      }
      next += 1;
      const wrong = check((value as Record<string, unknown>)[name], `${place}.${name}`);
      if (wrong !== undefined) return wrong;
    }
    return next < keys.length ? `${place} has ${keys[next]} beside its fields` : undefined;
  };
}

/** A matcher of the contract tests as one function, for many answers. */
function checkOf(matcher: Matcher): Check {
  if (matcher instanceof RegExp) return textCheck(matcher);
  if (matcher === 'number') return numberCheck;
  if (Array.isArray(matcher)) return listCheck(checkOf(matcher[0] as Matcher));
  const fields = Object.entries(matcher as object).map(([name, inner]) => {
    return [name.replace(/\?$/, ''), name.endsWith('?'), checkOf(inner as Matcher)] as const;
  });
  return recordCheck(fields);
}

interface Checked {
  readonly keys: string;
  readonly message: string | undefined;
  readonly data: Check | undefined;
}

function checked({ message, data }: SuccessShape): Checked {
  const keys = ['status', ...(message === undefined ? [] : ['message']), ...(data === undefined ? [] : ['data'])];
  return { keys: keys.join(), message, data: data === undefined ? undefined : checkOf(data) };
}

const CHECKS = new Map([...SUCCESSES].map(([path, shape]) => [path, checked(shape)]));
const sliced = checkOf(SLICED_ORDER);

/** The fault of the body of a success; `undefined` when it has none. Source: contract R10, reliability I41. */
export function successFault(path: string, body: Readonly<Record<string, unknown>>): string | undefined {
  const expected = CHECKS.get(path);
  if (expected === undefined) return `${path} has no shape to check against`;
  if (Object.keys(body).join() !== expected.keys) return `the envelope has ${Object.keys(body)}`;
  if (body.status !== 'success') return `status is ${body.status}`;
  if (body.message !== expected.message) return `message is ${body.message}`;
  const ordered = /^\/place/.test(path) && Array.isArray(body.data);
  return (ordered ? sliced : expected.data)?.(body.data, 'data');
}
