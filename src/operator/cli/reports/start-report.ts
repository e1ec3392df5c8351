/**
 * The texts of a start and of `demo credentials`: addresses, settings and login credentials.
 * Nothing is read or written here.
 */

import type { Server } from 'node:http';
import { generateSync } from 'otplib';
import { InvariantError } from '../../../base/assert.ts';
import type { WallMs } from '../../../base/time.ts';
import { SETTINGS } from '../../../config.ts';
import type { BranchPoint } from '../../../core/branch/branch-point.ts';
import { sha256Hex } from '../../../os/digest.ts';
import type { IssuedCredentials } from '../../operations/issued-credentials.ts';

/** Where a started service is reached and what it is fixed to. */
export interface StartFacts {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  readonly operatorAddress: string;
  /** Whether the terminal is served at the address. */
  readonly hasPage: boolean;
  readonly data: string;
  readonly market: string;
  readonly seed: number;
  readonly hours: string;
  /** How many indices and shares are listed. */
  readonly shares: number;
  /** Market time and its speed; absent while the market follows the wall. */
  readonly clock: string | undefined;
  readonly hasDemoUsers: boolean;
  /** Where the history leaves that of another data folder. */
  readonly branch?: BranchPoint;
}

/** The text that a start prints when the service is ready. `newUsers` are the demo users that no start has printed. */
export function startReport(facts: StartFacts, newUsers: readonly IssuedCredentials[], at: WallMs): string {
  const lines = [
    'Sauda is ready.',
    '',
    ...(facts.hasPage ? [`  terminal      ${facts.address}/`] : []),
    `  V1 interface  ${facts.address}/V1`,
    `  reference     ${facts.address}/docs`,
    `  operator      ${facts.operatorAddress} (${operatorParts(facts)})`,
    `  market        ${facts.market}, seed ${facts.seed}, hours ${facts.hours}, ${facts.shares} shares and indices, with their contracts`,
    ...(facts.clock === undefined ? [] : [`  clock         ${facts.clock}`]),
    `  data folder   ${facts.data}`,
    ...(facts.branch
      ? [`  branch        of ${facts.branch.parent}, which it left at record ${facts.branch.record}`]
      : []),
    '',
  ];
  const again = `npx sauda demo credentials${dataFlag(facts.data)}`;
  if (newUsers.length === 0) return [...lines, ...(facts.hasDemoUsers ? [`Demo users: ${again}`, ''] : [])].join('\n');
  return [
    ...lines,
    `Demo users, each with 10 lakh rupees and a few shares (again: ${again}):`,
    '',
    credentialsText(newUsers, at),
    'A first trade:',
    '',
    ...firstTrade(facts.address, facts.data).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** The ways in to the operator's port: its page needs the token, which a command prints. */
function operatorParts({ hasPage, data }: StartFacts): string {
  const page = hasPage ? `page: npx sauda operator page${dataFlag(data)}; ` : '';
  return `${page}/livez, /readyz, /metrics`;
}

/** Credentials for a reader, with the one-time code of the moment. */
export function credentialsText(users: readonly IssuedCredentials[], at: WallMs): string {
  const blocks = users.map((user) => {
    const totp = user.totpSecret === undefined ? ['  TOTP        none: send it empty'] : totpLines(user.totpSecret, at);
    return [
      `  userId      ${user.userId}`,
      `  password    ${user.password}`,
      ...totp,
      `  vendorCode  ${user.vendorCode}`,
      `  apiKey      ${user.apiKey}`,
      '',
    ].join('\n');
  });
  return blocks.join('\n');
}

/** Credentials as an array in JSON, in the order of the users' creation. */
export function credentialsJson(users: readonly IssuedCredentials[]): string {
  const rows = users.map(({ userId, password, totpSecret, vendorCode, apiKey }) => ({
    userId,
    password,
    ...(totpSecret === undefined ? {} : { totpSecret }),
    vendorCode,
    apiKey,
  }));
  return JSON.stringify(rows, undefined, 2);
}

/**
 * Credentials as shell variables `DEMO1_USER_ID`, `DEMO1_PASSWORD` and so on. The digest that a login sends and the
 * code of the moment are added, so that a login needs no other program than curl.
 */
export function credentialsEnv(users: readonly IssuedCredentials[], at: WallMs): string {
  const blocks = users.map((user, index) => {
    const prefix = `DEMO${index + 1}`;
    const variables = [
      ['USER_ID', user.userId],
      ['PASSWORD', user.password],
      ['PASSWORD_SHA256', sha256Hex(user.password)],
      ...(user.totpSecret === undefined
        ? [['TOTP', '']]
        : [
            ['TOTP_SECRET', user.totpSecret],
            ['TOTP', codeAt(user.totpSecret, at)],
          ]),
      ['VENDOR_CODE', user.vendorCode],
      ['API_KEY', user.apiKey],
    ];
    return variables.map(([name, value]) => `${prefix}_${name}=${value}`).join('\n');
  });
  return blocks.join('\n');
}

/** The one-time code of an instant. Source: RFC 6238. */
export function codeAt(secret: string, at: WallMs): string {
  return generateSync({ secret, epoch: Math.floor(at / 1000) });
}

/**
 * The first trade with a shell and curl: log in, buy a share, read the order and trade books. `data` is the data
 * folder; the one that the settings default to need not be named.
 */
export function firstTrade(address: string, data: string): readonly string[] {
  const session = '{"userId":"\'$DEMO1_USER_ID\'","jKey":"\'$JKEY\'"';
  const login = [
    '"userId":"\'$DEMO1_USER_ID\'"',
    '"password":"\'$DEMO1_PASSWORD_SHA256\'"',
    '"TOTP":"\'$DEMO1_TOTP\'"',
    '"vendorCode":"\'$DEMO1_VENDOR_CODE\'"',
    '"apiKey":"\'$DEMO1_API_KEY\'"',
  ].join(',');
  const order = [
    '"exchange":"NSE"',
    '"tradingSymbol":"RELIANCE-EQ"',
    '"transactionType":"B"',
    '"quantity":"10"',
    '"priceType":"MKT"',
    '"price":"0"',
    '"product":"C"',
    '"retention":"DAY"',
    '"triggerPrice":"0"',
    '"remarks":"first trade"',
  ].join(',');
  return [
    `eval "$(npx sauda demo credentials --env${dataFlag(data)})"`,
    `V1() { curl -sS ${address}/V1/$1 -H 'Content-Type: application/json' -d "$2"; echo; }`,
    `JKEY=$(V1 login '{${login}}' | sed 's/.*"susertoken":"\\([0-9a-f]*\\)".*/\\1/')`,
    `V1 getQuote/ltp '${session},"exchange":"NSE","tradingSymbol":"RELIANCE-EQ"}'`,
    `V1 placeOrder '${session},${order}}'`,
    `V1 orderBook '${session}}'`,
    `V1 tradeBook '${session}}'`,
  ];
}

/** The flag that names a data folder to a shell; nothing for the one that the settings default to. */
function dataFlag(data: string): string {
  const isDefault = data === SETTINGS.data.parse(SETTINGS.data.fallback);
  return isDefault ? '' : ` --data '${data.replaceAll("'", "'\\''")}'`;
}

function totpLines(secret: string, at: WallMs): string[] {
  return [`  totpSecret  ${secret}`, `  TOTP now    ${codeAt(secret, at)}`];
}

/** Where a server listens: an address and a port. */
export function addressOf(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new InvariantError('the server does not listen');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}
