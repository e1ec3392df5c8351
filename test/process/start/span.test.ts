import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { generateSync } from 'otplib';
import { type EpochMs, formatIsoDay, type IstDay, istDay, parseIsoDay } from '../../../src/base/time.ts';
import { spanText } from '../../kit/span/span-text.ts';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();

after(async () => {
  await folder.remove();
});

interface Future {
  readonly tradingSymbol: string;
  readonly lot: number;
  readonly expiry: IstDay;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The last listed NIFTY future by the symbol file, which is far from its expiry. */
async function listedFuture(service: StartedService): Promise<Future> {
  const text = await (await fetch(`${service.base}/symbols/NFO`)).text();
  const rows = text.split('\n').map((line) => line.split(','));
  const futures = rows.filter(([, , , symbol, tradingSymbol]) => symbol === 'NIFTY' && tradingSymbol?.endsWith('F'));
  const row = futures.at(-1) ?? assert.fail('a NIFTY future is listed');
  const [, day = '', month = '', year = ''] = /NIFTY(\d{2})([A-Z]{3})(\d{2})F/.exec(row[4] ?? '') ?? [];
  const expiry = parseIsoDay(`20${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}`);
  return { tradingSymbol: row[4] ?? '', lot: Number(row[2]), expiry: expiry ?? assert.fail(row[4]) };
}

async function session(service: StartedService): Promise<Record<string, string>> {
  const [user] = service.demoUsers();
  const { userId, password, totpSecret, vendorCode, apiKey } = user ?? assert.fail('there is a demo user');
  const digest = createHash('sha256').update(password).digest('hex');
  const TOTP = totpSecret === undefined ? '' : generateSync({ secret: totpSecret });
  const { body } = await service.call('login', { userId, password: digest, TOTP, vendorCode, apiKey });
  return { userId, jKey: (body.data as Record<string, string>).susertoken ?? '' };
}

/** The margin that a sale of one lot would block, in rupees. */
async function marginOf(service: StartedService, who: Record<string, string>, future: Future): Promise<number> {
  const { body } = await service.call('orderMargin', {
    ...who,
    exchange: 'NFO',
    tradingSymbol: future.tradingSymbol,
    transactionType: 'S',
    product: 'M',
    quantity: String(future.lot),
    priceType: 'MKT',
    price: '0',
  });
  return Number((body.data as Record<string, string>).marginOnNewOrder);
}

const SCAN = 7_000;

function fileOf(day: IstDay, expiry: IstDay): string {
  const path = join(folder.path, 'made-up.spn');
  const futures = [{ expiry, price: 24_000, scan: SCAN }];
  writeFileSync(path, spanText({ day, underlyings: [{ code: 'NIFTY', spot: 24_000, futures }] }));
  return path;
}

test('a file changes margins at once, stays in force over a restart, and must be there when it is', async () => {
  const data = folder.path;
  let service = await StartedService.start(data);
  const future = await listedFuture(service);
  const who = await session(service);
  const own = await marginOf(service, who, future);
  const byFile = SCAN * future.lot;
  assert.ok(own > 0 && own < byFile, `${own} of our own`);

  const today = istDay(Date.now() as EpochMs);
  const imported = await service.command('span', 'import', fileOf(today, future.expiry));
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stdout, /^1 of the \d+ listed contracts are among them/m);
  const measured = await marginOf(service, who, future);
  assert.ok(measured >= byFile && measured < byFile * 1.2, `${measured} by the file`);
  assert.match(
    (await service.command('span', 'list')).stdout,
    new RegExp(`^${formatIsoDay(today)} NFO [0-9a-f]{64}$`, 'm'),
  );

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  assert.equal(await marginOf(service, who, future), measured);
  assert.equal(await service.end('SIGTERM'), 0);

  const store = join(data, 'span');
  const [packed = ''] = readdirSync(store).filter((name) => name.endsWith('.spn.gz'));
  renameSync(join(store, packed), join(folder.path, packed));
  const refused = await sauda(['start', '--data', data, '--port', '0', '--operator-port', '0']);
  assert.equal(refused.code, 78, refused.stdout);
  assert.match(refused.stderr, /the SPAN file .* is missing or damaged\. Restore it, or remove .*\.NFO to go on/);

  for (const name of readdirSync(store)) rmSync(join(store, name));
  service = await StartedService.start(data);
  assert.equal((await service.command('span', 'list')).stdout.trim(), 'there is no SPAN file');
  const without = await marginOf(service, who, future);
  assert.ok(without < byFile, `${without} of our own again`);
});
