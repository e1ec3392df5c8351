import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { generateSync } from 'otplib';
import { importInstruments } from '../../../src/app/import-instruments.ts';
import { dataFolder } from '../../../src/folder/data-folder.ts';
import { readImportedFiles } from '../../../src/folder/imported-files.ts';
import { IMPORTING, WriterLock } from '../../../src/journal/disk/writer-lock.ts';
import { CommandFailed } from '../../../src/os/command-failed.ts';
import { type CommandResult, StartedService, sauda, temporaryFolder } from './started-service.ts';

const CASH = 'Exchange,Token,LotSize,TradingSymbol,CompanyName,ISIN,TickSize,FreezeQty';
const CONTRACTS = `${CASH},Symbol,Expiry,Instrument,OptionType,StrikePrice`;
const SHARE = { exchange: 'NSE', tradingSymbol: 'ZZTEST-EQ' };
const ZZTEST = 'NSE,999994,1,ZZTEST-EQ,Zz Test,INE000A00002,0.05,';
const OTHER = 'NSE,999995,1,ZZOTHER-EQ,Zz Other,INE000A00003,0.05,';
const CONTRACT = 'NFO,999996,50,ZZTEST29DEC26F,,,0.05,,ZZTEST,29-DEC-2026,FUTSTK,XX,0';

const folders: (() => Promise<void>)[] = [];

after(() => Promise.all(folders.map((remove) => remove())));

function folder(): string {
  const { path, remove } = temporaryFolder();
  folders.push(remove);
  return path;
}

/** Imports a symbol file of these lines into a data folder, as a command. */
async function importLines(data: string, ...lines: string[]): Promise<CommandResult> {
  const file = join(data, 'symbols.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return sauda(['instruments', 'import', file, '--data', data]);
}

/** As `importLines`, without a process. */
async function importHere(data: string, ...lines: string[]): Promise<Pick<CommandResult, 'code' | 'stderr'>> {
  const file = join(data, 'symbols.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  try {
    await importInstruments(dataFolder(data), file);
    return { code: 0, stderr: '' };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { code: error.exitCode, stderr: error.message };
  }
}

/** Signs in as the first demo user; the answer asks operations as he. */
async function signedIn(service: StartedService) {
  const [user] = service.demoUsers();
  const { userId, password, totpSecret, vendorCode, apiKey } = user ?? assert.fail('there is a demo user');
  const digest = createHash('sha256').update(password).digest('hex');
  const TOTP = totpSecret === undefined ? '' : generateSync({ secret: totpSecret });
  const { body } = await service.call('login', { userId, password: digest, TOTP, vendorCode, apiKey });
  const { susertoken: jKey } = body.data as Record<string, string>;
  return async (path: string, more: object = {}) => {
    const answer = await service.call(path, { userId, jKey, ...more });
    return { status: answer.status, data: answer.body.data as Record<string, string> & Record<string, string>[] };
  };
}

test('trades in an instrument that a later file leaves out are still shown, and it is not listed any more', async () => {
  const data = folder();
  const taken = await importLines(data, CASH, ZZTEST, OTHER);
  assert.equal(taken.code, 0, taken.stderr);
  assert.match(taken.stdout, /^2 instruments of NSE .*next start/);
  let service = await StartedService.start(data);
  const before = await signedIn(service);
  assert.equal((await before('securityInfo', SHARE)).data.token, '999994');
  const { data: quote } = await before('getQuote', SHARE);
  const price = (Math.round(Number(quote.lastTradedPrice) * 20.4) / 20).toFixed(2);
  const terms = { quantity: '1', price, product: 'C', transactionType: 'B', priceType: 'LMT', retention: 'DAY' };
  const placed = await before('placeOrder', { ...SHARE, ...terms, remarks: '' });
  assert.equal(placed.status, 200);
  const { orderNumber } = placed.data;
  await service.end('SIGTERM');

  assert.equal((await importLines(data, CASH, OTHER)).code, 0);
  service = await StartedService.start(data);
  const ask = await signedIn(service);
  for (const path of ['orderBook', 'tradeBook', 'positionBook']) {
    const { status, data: rows } = await ask(path);
    assert.equal(status, 200, path);
    assert.equal(rows[0]?.tradingSymbol, 'ZZTEST-EQ', path);
  }
  assert.equal((await ask('singleOrderHistory', { orderNumber })).status, 200);
  assert.equal((await ask('placeOrder', { ...SHARE, ...terms, remarks: '' })).status, 400);
  await service.end('SIGTERM');

  rmSync(dataFolder(data).instruments);
  const refused = await sauda(['start', '--port', '0', '--operator-port', '0', '--data', data]);
  assert.equal(refused.code, 78);
  assert.match(
    refused.stderr,
    /^sauda: no instrument has the token NSE 999994, and orders, .*instruments\.json, or import/m,
  );
});

test('a file after which those that stay would not fit is refused, and the files stay as they are', async () => {
  const data = folder();
  assert.equal((await importHere(data, CASH, ZZTEST)).code, 0);
  assert.equal((await importHere(data, CONTRACTS, CONTRACT)).code, 0);
  const store = readFileSync(dataFolder(data).instruments);
  const refused = await importHere(data, CASH, OTHER);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /the imported file of NFO is not taken over:\n {2}line 2: NSE has no index or share "ZZTEST"/,
  );
  assert.deepEqual(readFileSync(dataFolder(data).instruments), store);
  assert.equal((await importHere(data, CASH, ZZTEST, OTHER)).code, 0, 'whatever the order of the files');
  assert.equal((await importHere(data, CASH, OTHER, ZZTEST)).code, 0);
});

test('an instrument is delisted once, and listed again by a file that has it', async () => {
  const data = folder();
  const delisted = () => readImportedFiles(dataFolder(data).instruments).filter((file) => file.delisted === true);
  await importHere(data, CASH, ZZTEST, OTHER);
  await importHere(data, CASH, OTHER);
  await importHere(data, CASH, OTHER);
  assert.deepEqual(delisted(), [{ exchanges: ['NSE'], text: `${CASH}\n${ZZTEST}0\n`, delisted: true }]);
  await importHere(data, CASH, ZZTEST);
  assert.deepEqual(delisted(), [{ exchanges: ['NSE'], text: `${CASH}\n${OTHER}0\n`, delisted: true }]);
});

test('contracts that expired long ago are not kept', async () => {
  const data = folder();
  const old = 'NFO,999997,50,RELIANCE30JUN26F,,,0.05,,RELIANCE,30-JUN-2026,FUTSTK,XX,0';
  const coming = 'NFO,999998,50,RELIANCE29DEC26F,,,0.05,,RELIANCE,29-DEC-2026,FUTSTK,XX,0';
  const next = 'NFO,999999,50,RELIANCE25JAN27F,,,0.05,,RELIANCE,25-JAN-2027,FUTSTK,XX,0';
  assert.equal((await importHere(data, CONTRACTS, old, coming)).code, 0);
  assert.equal((await importHere(data, CONTRACTS, next)).code, 0);
  const [delisted] = readImportedFiles(dataFolder(data).instruments).filter((file) => file.delisted === true);
  assert.match(delisted?.text ?? '', /^.*\nNFO,999998,50,RELIANCE,RELIANCE29DEC26F,.*\n$/);
});

test('of two imports at once each is taken over or refused', async () => {
  const data = folder();
  const files = [ZZTEST, ZZTEST.replace('NSE,', 'BSE,'), CONTRACT].map((row, index) => {
    const file = join(data, `symbols-${index}.csv`);
    writeFileSync(file, `${row === CONTRACT ? CONTRACTS : CASH}\n${row}\n`);
    return file;
  });
  const store = dataFolder(data).instruments;
  assert.equal((await sauda(['instruments', 'import', files[0] ?? '', '--data', data])).code, 0);
  const results = await Promise.all(
    files.slice(1).map((file) => sauda(['instruments', 'import', file, '--data', data])),
  );
  const known = readImportedFiles(store).flatMap(({ exchanges }) => exchanges);
  for (const [index, { code, stderr }] of results.entries()) {
    if (code !== 0) assert.deepEqual([code, /another import/.test(stderr)], [75, true], stderr);
    assert.equal(known.includes(index === 0 ? 'BSE' : 'NFO'), code === 0, `${known}: ${stderr}`);
  }
  const lock = new WriterLock(data, IMPORTING);
  try {
    const refused = await sauda(['instruments', 'import', files[0] ?? '', '--data', data]);
    assert.equal(refused.code, 75, refused.stdout);
    assert.match(refused.stderr, /another import of instruments writes to it/);
  } finally {
    lock.release();
  }
});
