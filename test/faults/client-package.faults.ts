import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type StartedSauda, startSauda } from '../../client/src/testing.ts';
import { must } from '../../src/base/assert.ts';
import { launchChromium } from '../kit/chromium.ts';
import { LAUNCHER, PROJECT } from '../process/start/started-service.ts';
import { OneOrigin, type Page } from './tools/one-origin.ts';
import { scratchFolder } from './trials.ts';

/*
 * The package of the client as others get it: packed, installed into an empty project without a network, and run under
 * Node 20, the pinned Node and Chromium. Needs npm and Chromium.
 */

const run = promisify(execFile);
const COMMAND = [process.execPath, LAUNCHER];
const PRINTED_URL = 'http://127.0.0.1:8080';

const project = scratchFolder();
const installed = join(project, 'node_modules', '@sauda', 'client');
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] };
let service: StartedSauda;

before(async () => {
  const words = ['pack', '--workspace', 'client', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', words, { cwd: PROJECT, maxBuffer: 2 ** 24 });
  [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [typeof packed];
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(project, packed.filename)];
  await run('npm', install, { cwd: project });
  service = await startSauda({ seed: 7, command: COMMAND });
  write('users.json', JSON.stringify(service.users));
  write('strategy.mjs', strategy(service.url));
  write('follow.mjs', follow(service.url, 0));
});
after(() => service?.stop());

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

/** The first program of the package's own README, at the address of this test's service. */
function strategy(url: string): string {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const printed = must(/```js\n([\s\S]*?)```/.exec(readme)?.[1], 'a program in the README');
  assert.ok(printed.includes(PRINTED_URL));
  return printed.replaceAll(PRINTED_URL, url);
}

/**
 * A program that follows its own order by the stream, over the WebSocket that the platform has. A user with one-time
 * codes can run it once: no code opens a second session.
 */
function follow(url: string, user: number): string {
  return `
    import { fromPaise, Sauda, toPaise, totpOf } from '@sauda/client';
    import users from './users.json' with { type: 'json' };
    const sauda = new Sauda({ url: '${url}', ...users[${user}] });
    const { password, totpSecret } = users[${user}];
    await sauda.login({ password, ...(totpSecret && { totp: totpOf(totpSecret) }) });
    const stream = sauda.stream();
    const ticks = stream.ticks(['NSE:ITC-EQ']);
    const { value: tick } = await ticks.next();
    const price = fromPaise(Math.round(toPaise(tick.data.lastTradedPrice) * 0.95 / 5) * 5);
    const orders = stream.orders();
    await orders.ready;
    const itc = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', transactionType: 'B', product: 'C', quantity: 1 };
    const { orderNumber } = await sauda.orders.place({ ...itc, priceType: 'LMT', price });
    const waited = sauda.orders.wait(orderNumber, { until: 'final' });
    setTimeout(() => sauda.orders.cancel(orderNumber), 300);
    for await (const event of orders) {
      if (event.data.orderNumber === orderNumber && event.data.status === 'CANCELED') break;
    }
    console.log('followed', tick.instrument, (await waited).outcome);
    await sauda[Symbol.asyncDispose]();
  `;
}

/** The machine's own Node, and the pinned one. */
function nodes(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const own = folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path));
  return own === undefined ? [process.execPath] : [own, process.execPath];
}

describe('the packed client', () => {
  it('holds its compiled files, its types and its words, and depends on nothing', () => {
    const paths = packed.files.map(({ path }) => path);
    assert.deepEqual(paths.filter((path) => !path.startsWith('dist/')).sort(), [
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    assert.ok(paths.includes('dist/index.js') && paths.includes('dist/index.d.ts'));
    assert.ok(!paths.some((path) => /\.test\.|(?<!\.d)\.ts$/.test(path)), 'no sources and no tests');
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as { packages: object };
    assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/@sauda/client']);
  });

  it("runs the README's first strategy, and a stream, under Node 20 and the pinned Node", async (t) => {
    for (const node of nodes()) {
      const { stdout: version } = await run(node, ['--version']);
      t.diagnostic(version.trim());
      const { stdout } = await run(node, ['strategy.mjs'], { cwd: project, timeout: 90_000 });
      assert.match(stdout, /^bought at \d+\.\d\d, offered at \d+\.\d\d: (accepted|filled)\n$/);
      const followed = await run(node, ['follow.mjs'], { cwd: project, timeout: 90_000 });
      assert.equal(followed.stdout, 'followed NSE:ITC-EQ cancelled\n');
    }
  });

  it('starts a service for a test, and ends it', async () => {
    write(
      'test.mjs',
      `import { startSauda } from '@sauda/client/testing';
      const service = await startSauda({ seed: 7 });
      const sauda = await service.login(service.users[1]);
      console.log(await sauda.market.ltp('NSE:ITC-EQ'));
      await service.stop();`,
    );
    for (const node of nodes()) {
      const env = { ...process.env, SAUDA_COMMAND: COMMAND.join(' ') };
      const { stdout } = await run(node, ['test.mjs'], { cwd: project, env, timeout: 90_000 });
      assert.match(stdout, /^\d+\.\d\d\n$/);
    }
  });

  it('has types that the compiler checks, with those of Node and with those of a browser', async () => {
    write('typed.ts', TYPED);
    for (const name of ['@types', 'undici-types']) {
      symlinkSync(join(PROJECT, 'node_modules', name), join(project, 'node_modules', name));
    }
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', skipLibCheck: false };
    const platforms = [
      { lib: ['es2022'], types: ['node'], files: ['typed.ts', 'typed-testing.ts'] },
      { lib: ['es2022', 'dom'], types: [], files: ['typed.ts'] },
    ];
    write(
      'typed-testing.ts',
      `import { startSauda } from '@sauda/client/testing';\n(await startSauda()).users[0]?.userId;`,
    );
    for (const { lib, types, files } of platforms) {
      const compilerOptions = { ...options, exactOptionalPropertyTypes: true, lib, types };
      write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
      const tsc = join(PROJECT, 'node_modules', '.bin', 'tsc');
      const { stdout } = await run(tsc, ['-p', project]).catch((error: { readonly stdout: string }) => error);
      assert.equal(stdout, '', String(lib));
    }
  });

  it("runs the README's first strategy, and a stream, in Chromium", { timeout: 200_000 }, async () => {
    const origin = await OneOrigin.start(service.url, pageOf);
    write('strategy.mjs', strategy(origin.url));
    write('follow.mjs', follow(origin.url, 1));
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(String(error)));
      for (const program of ['strategy', 'follow']) {
        const heard = page.waitForEvent('console', { timeout: 90_000 });
        await page.goto(`${origin.url}/${program}.html`);
        await heard.catch((error) => assert.fail(`${error}: ${said.join('\n')}`));
      }
      assert.match(must(said[0], 'a line'), /^bought at \d+\.\d\d, offered at \d+\.\d\d: (accepted|filled)$/);
      assert.deepEqual(said.slice(1), ['followed NSE:ITC-EQ cancelled']);
    } finally {
      await browser.close();
      await origin.close();
    }
  });
});

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
};

/** The files of the page: programs, users, and the package as it is installed. */
function pageOf(path: string): Page | undefined {
  const program = /^\/(\w+)\.html$/.exec(path)?.[1];
  if (program !== undefined) {
    const map = '{"imports":{"@sauda/client":"/node_modules/@sauda/client/dist/index.js"}}';
    const text = `<script type="importmap">${map}</script><script type="module" src="/${program}.mjs"></script>`;
    return { type: 'text/html', text: `<!doctype html><link rel="icon" href="data:,">${text}` };
  }
  const type = TYPES[path.split('.').at(-1) ?? ''];
  const file = join(project, path);
  return type === undefined || !existsSync(file) ? undefined : { type, text: readFileSync(file, 'utf8') };
}

const TYPED = `
import { orderNumber, Sauda, SaudaError, TransportError, type OrderRow, type Rupees } from '@sauda/client';

const sauda = new Sauda({ url: 'http://127.0.0.1:8080', userId: 'SD1001', fetch, WebSocket });
const itc = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', transactionType: 'B', product: 'C', quantity: 1 } as const;
const reached = await sauda.orders.placeAndWait({ ...itc, priceType: 'LMT', price: '100.05' }, { until: 'final' });
if (reached.outcome === 'refused') console.log(reached.reason);
else console.log(reached.order.averagePrice);
const rows: readonly OrderRow[] = await sauda.orders.list({ signal: new AbortController().signal });
const price: Rupees = await sauda.market.ltp('NSE:ITC-EQ');
for await (const event of sauda.stream().orders()) {
  if (event.type === 'order') await sauda.orders.cancel(event.data.orderNumber);
  else console.log(event.data.length, rows.length, price);
}
try {
  await sauda.orders.cancel(orderNumber('26112300000001'));
} catch (error) {
  if (error instanceof TransportError) console.log(error.reason, error.ambiguous);
  else if (error instanceof SaudaError) console.log(error.idempotencyKey);
}
// @ts-expect-error a price is text
await sauda.orders.place({ ...itc, priceType: 'LMT', price: 100.05 });
// @ts-expect-error the number of an order has a type of its own
await sauda.orders.cancel('26112300000001');
// @ts-expect-error no such product
await sauda.orders.place({ ...itc, product: 'X', priceType: 'MKT' });
// @ts-expect-error no such exchange
await sauda.market.quote('MCX:GOLD');
`;
