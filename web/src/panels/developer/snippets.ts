/**
 * A request of the page as a program of one's own would make it: by curl, by the client for TypeScript, and in Python.
 * Secrets are never in it: each snippet takes them from its environment.
 */
import { type Fields, typescriptCall, without } from './typescript-calls.ts';

/** An operation and the fields that were sent, without secrets. */
export interface Asked {
  readonly operation: string;
  readonly fields: Fields;
}

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The fields that name the user and the session: programs have them elsewhere. */
const OF_SESSION = ['userId', 'jKey'] as const;
const SECRETS: ReadonlySet<string> = new Set(['password', 'TOTP', 'apiKey']);
/** The place of a secret in the text of a body. */
const MARK = /"<(\w+)>"/g;

/** Functions of the family's client in Python that take the fields of the operation by their names. */
const FAMILY: Readonly<Record<string, readonly string[]>> = {
  placeOrder: [
    'exchange',
    'tradingSymbol',
    'quantity',
    'price',
    'product',
    'transactionType',
    'priceType',
    'retention',
    'triggerPrice',
    'remarks',
  ],
  cancelOrder: ['orderNumber'],
  singleOrderHistory: ['orderNumber'],
  searchScrips: ['stext'],
  orderBook: [],
  tradeBook: [],
  positionBook: [],
  limit: [],
  userDetails: [],
  logout: [],
};

/** The snippet for a request at the service of an origin, as `http://127.0.0.1:8080`. */
export function snippetOf(language: Language, asked: Asked, origin: string): string {
  if (language === 'curl') return curl(asked, origin);
  return language === 'TypeScript' ? typescript(asked, origin) : python(asked, origin);
}

function curl({ operation, fields }: Asked, origin: string): string {
  const quoted = bodyOf(fields, 2)
    .replaceAll("'", "'\\''")
    .replaceAll(MARK, (_all, name: string) => `"'"$${shellName(name)}"'"`);
  return `curl -sS '${origin}/V1/${operation}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted}'`;
}

/** The fields as JSON, with `<name>` in the place of each secret. */
function bodyOf(fields: Fields, indent: number): string {
  const isSecret = (name: string): boolean => name === 'jKey' || SECRETS.has(name);
  return JSON.stringify(fields, (name, value) => (isSecret(name) ? `<${name}>` : value), indent);
}

function shellName(name: string): string {
  return name === 'jKey' ? 'JKEY' : name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}

function typescript({ operation, fields }: Asked, origin: string): string {
  const url = JSON.stringify(origin);
  if (operation === 'login') {
    return [
      "import { Sauda } from '@sauda/client';",
      '',
      `const sauda = new Sauda({ url: ${url}, userId: ${JSON.stringify(fields.userId)}, apiKey: process.env.API_KEY });`,
      'await sauda.login({ password: process.env.PASSWORD, totp: process.env.TOTP });',
    ].join('\n');
  }
  const { call, names } = typescriptCall(operation, own(fields), origin);
  const imported = ['Sauda', ...names].sort((a, b) => a.localeCompare(b)).join(', ');
  return [
    `import { ${imported} } from '@sauda/client';`,
    '',
    `const session = { userId: ${JSON.stringify(fields.userId ?? '')}, token: process.env.JKEY };`,
    `const sauda = new Sauda({ url: ${url}, ...session });`,
    `const answer = await ${call};`,
    'console.log(answer);',
  ].join('\n');
}

function python({ operation, fields }: Asked, origin: string): string {
  const known = FAMILY[operation];
  const given = Object.entries(own(fields));
  if (known === undefined || !given.every(([name]) => known.includes(name)))
    return plainPython(operation, fields, origin);
  const args = [['userId', fields.userId] as const, ...given].map(
    ([name, value]) => `    ${name}=${JSON.stringify(String(value))},`,
  );
  return [
    `# Lead the client to this service and log in first: ${origin}/docs/guides/python`,
    'from firstock import firstock',
    '',
    `answer = firstock.${operation}(`,
    ...args,
    ')',
    'print(answer)',
  ].join('\n');
}

/** For operations that the family's client does not have, or has under other fields. */
function plainPython(operation: string, fields: Fields, origin: string): string {
  const body = bodyOf(fields, 4).replaceAll(MARK, (_all, name: string) => `os.environ["${shellName(name)}"]`);
  return [
    "# The family's client has no function for these fields, so the interface is asked itself.",
    'import json',
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    `fields = ${body}`,
    `request = Request("${origin}/V1/${operation}", json.dumps(fields).encode(), {"Content-Type": "application/json"})`,
    'print(json.load(urlopen(request))["data"])',
  ].join('\n');
}

function own(fields: Fields): Fields {
  return without(fields, ...OF_SESSION);
}
