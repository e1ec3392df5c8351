/**
 * Commands for the access of users: lists, order sources and rates, risk groups and API keys.
 * The rules are decided by the running service.
 */
import type { Command } from 'commander';
import { withoutControls } from '../../base/printable.ts';
import { riskGroupText, type UserRow } from '../operations/access-operations.ts';
import type { IssuedKey } from '../operations/key-operations.ts';
import { type OperatorCommandParts, withGrounds } from './command-parts.ts';
import { typedDecimal } from './typed-number.ts';

type Words = Readonly<Record<string, string>>;
type Flags = Words & { readonly why: string } & { readonly lift?: true; readonly json?: true };

/**
 * Adds to the commands of users those that list them, fix the addresses of their orders, set their order rates and risk
 * groups, and renew their API keys.
 */
export function addAccessCommands(user: Command, parts: OperatorCommandParts): void {
  const list = user
    .command('list', { isDefault: true })
    .description('print the users, where their orders may come from and how many a second')
    .option('--json', 'as an array in JSON');
  parts.withService(list).action(async (flags: Flags) => {
    const rows = (await parts.ask(flags, '/users')) as readonly UserRow[];
    parts.print(flags.json ? JSON.stringify(rows) : rows.map(userText).join('\n') || 'there is no user');
  });
  const addresses = user
    .command('addresses <userId> [primary] [secondary]')
    .description('let orders come from these IP addresses only; they change at most once a week')
    .option('--lift', 'let orders come from anywhere again');
  withGrounds(addresses, parts).action(
    async (userId: string, primary: string | undefined, secondary: string | undefined, flags: Flags) => {
      const given = [primary, secondary].filter((address) => address !== undefined);
      if (given.length > 0 === (flags.lift ?? false)) user.error('error: name the addresses, or --lift');
      await send(parts, `/users/${encodeURIComponent(userId)}/addresses`, { addresses: given }, flags);
    },
  );
  const rate = user
    .command('rate <userId> [perSecond]')
    .description('let a user send this number of orders a second to a segment; above 10 with a registered algorithm')
    .option('--algo <id>', "the exchange's twelve digits for the registered algorithm")
    .option('--lift', 'the rate of the service counts again');
  withGrounds(rate, parts).action(async (userId: string, perSecond: string | undefined, flags: Flags) => {
    if ((perSecond !== undefined) === (flags.lift ?? false)) user.error('error: name the rate, or --lift');
    const { algo } = flags;
    const given = perSecond === undefined ? {} : { perSecond: typedDecimal(rate, perSecond, 'number of orders') };
    const body = { ...given, ...(algo === undefined ? {} : { algoId: algo }) };
    await send(parts, `/users/${encodeURIComponent(userId)}/order-rate`, body, flags);
  });
  addRiskGroup(user, parts);
  addKey(user, parts);
}

function addKey(user: Command, parts: OperatorCommandParts): void {
  const key = user
    .command('key <userId>')
    .description('give a user another API key and print it, this once; the one before is refused from then on');
  withGrounds(key, parts).action(async (userId: string, flags: Flags) => {
    const { why, by = parts.by } = flags;
    const path = `/users/${encodeURIComponent(userId)}/api-keys`;
    const issued = (await parts.act(flags, path, { by, why })) as IssuedKey;
    const rows = [`userId      ${issued.userId}`, `apiKey      ${issued.apiKey}`, `good until  ${issued.goodUntil}`];
    parts.print(rows.map((row) => `  ${row}`).join('\n'));
  });
}

function addRiskGroup(user: Command, parts: OperatorCommandParts): void {
  const risk = user
    .command('risk-group <userId>')
    .description('name the risk group of a user, cap his cash orders, and say what he may trade; the rest stays')
    .option('--group <name>', 'the name at the end of the texts of the risk desk')
    .option('--cap <rupees>', 'the most that a cash order may be worth')
    .option('--products <list>', 'the products that he may use, as C,M,I')
    .option('--exchanges <list>', 'the exchanges that he may trade on, as NSE,BSE,NFO,BFO')
    .option('--lift', 'the usual risk group counts again');
  withGrounds(risk, parts).action(async (userId: string, flags: Flags) => {
    const { group, cap, products, exchanges } = flags;
    const body = {
      ...(group === undefined ? {} : { group }),
      ...(cap === undefined ? {} : { orderValueCap: cap }),
      ...(products === undefined ? {} : { products: products.split(',') }),
      ...(exchanges === undefined ? {} : { exchanges: exchanges.split(',') }),
    };
    if (Object.keys(body).length > 0 === (flags.lift ?? false)) user.error('error: name what changes, or --lift');
    await send(parts, `/users/${encodeURIComponent(userId)}/risk-group`, body, flags);
  });
}

async function send(parts: OperatorCommandParts, path: string, body: object, flags: Flags): Promise<void> {
  const { why, by = parts.by } = flags;
  parts.print(userText((await parts.act(flags, path, { ...body, by, why })) as UserRow));
}

function userText(row: UserRow): string {
  const { userId, name, demo, totp, keyGoodUntil, sessions, orders } = row;
  const { addresses, addressesSince, fixed, orderRate } = row;
  const registered = `${addresses.join(' and ')} since ${addressesSince}`;
  const known = addresses.length === 0 ? '' : ` (registered: ${registered})`;
  const from = fixed ? `from ${registered} only` : `from anywhere${known}`;
  const algorithm = orderRate?.algoId === undefined ? '' : ` by the algorithm ${orderRate.algoId}`;
  const rate = orderRate === undefined ? 'at the rate of the service' : `${orderRate.perSecond} a second${algorithm}`;
  const text = [
    `${userId} ${name}${demo ? ' (demo)' : ''}${totp ? '' : ' (without one-time codes)'}`,
    `API key good until ${keyGoodUntil}`,
    `sessions ${sessions}, orders today ${orders}`,
    `orders ${from}, ${rate}`,
    ...(row.riskGroup === undefined ? [] : [`they ${riskGroupText(row)}`]),
  ].join('; ');
  return withoutControls(text);
}
