import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

const CASH = 'Exchange,Token,LotSize,TradingSymbol,CompanyName,ISIN,TickSize,FreezeQty';
const folder = temporaryFolder();
after(folder.remove);

test('an identity and imported instruments that somebody changed are refused by a start and reported by verify', async () => {
  const data = folder.path;
  const file = join(data, 'symbols.csv');
  writeFileSync(file, `${CASH}\nNSE,999994,30,ZZTEST-EQ,Zz Test,INE000A00002,0.05,\n`);
  assert.equal((await sauda(['instruments', 'import', file, '--data', data])).code, 0);
  const paths = { identity: join(data, 'identity'), instruments: join(data, 'instruments.json') };
  assert.equal(await (await StartedService.start(data)).end('SIGTERM'), 0);
  const whole = await sauda(['verify', '--data', data]);
  assert.equal(whole.code, 0, whole.stderr);

  const changes = [
    [paths.identity, 'seed=6', 'seed=3'],
    [paths.identity, 'market=synthetic', 'market=mixed'],
    [paths.instruments, ',30,ZZTEST', ',20,ZZTEST'],
  ] as const;
  for (const [path, old, other] of changes) {
    const text = readFileSync(path, 'utf8');
    assert.ok(text.includes(old), `${path}: ${text}`);
    writeFileSync(path, text.replace(old, other));
    const refused = await sauda(['start', '--port', '0', '--operator-port', '0', '--data', data]);
    assert.equal(refused.code, 78, refused.stderr);
    assert.ok(refused.stderr.includes(`${path} is damaged or of another version`), refused.stderr);
    const verified = await sauda(['verify', '--data', data]);
    assert.equal(verified.code, 65, verified.stdout);
    assert.match(
      verified.stderr,
      /journal is whole: .*\n.*audit is whole: .*\nDAMAGED .* is damaged or of another version/,
    );
    writeFileSync(path, text);
  }
});

test('an identity and imported instruments without a digest are served, and have one afterwards', async () => {
  const data = folder.path;
  const older = [
    ['identity', (text: string) => text.replace(/identity 3 market=\w+/, 'identity 1').replace(/ sha256=\w+/, '')],
    ['instruments.json', (text: string) => text.replace(/"version":2,"sha256":"\w+"/, '"version":1')],
  ] as const;
  const written = older.map(([name, old]) => {
    const path = join(data, name);
    const text = readFileSync(path, 'utf8');
    assert.notEqual(old(text), text);
    writeFileSync(path, old(text));
    return { path, text };
  });
  assert.equal(await (await StartedService.start(data)).end('SIGTERM'), 0);
  for (const { path, text } of written) assert.equal(readFileSync(path, 'utf8'), text);
});
