import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { builtPage, type PageMaking } from './built-page.ts';
import { pageSourceOf } from './page-source.ts';

let project: string;
let said: string[];
let builds: number;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'sauda-build-'));
  said = [];
  builds = 0;
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

/** A project with sources; its build writes the words of its one source into the page. */
function making(over: Partial<PageMaking> = {}): PageMaking {
  const build = async (): Promise<string> => {
    builds += 1;
    write('web/dist/index.html', readFileSync(join(project, 'web/src/main.ts'), 'utf8'));
    write('web/dist/source.txt', `${pageSourceOf(project)}\n`);
    return 'the page is built in 0.0 s';
  };
  return { project, canBuild: () => true, build, say: (line) => said.push(line), ...over };
}

function writeSource(text: string): void {
  write('web/vite.config.ts', 'export default {}');
  write('web/src/main.ts', text);
}

async function pageText(over: Partial<PageMaking> = {}): Promise<string | undefined> {
  return (await builtPage(making(over)))?.get('/index.html')?.plain.toString();
}

test('a first start builds the page and says so in one line; the next one serves it and says nothing', async () => {
  writeSource('first');
  assert.equal(await pageText(), 'first');
  assert.deepEqual(said, ['the page is built in 0.0 s']);
  assert.equal(await pageText(), 'first');
  assert.equal(said.length, 1);
  assert.equal(builds, 1);
});

test('a change of any source, of the client or of the packages makes the next start build', async () => {
  writeSource('first');
  await pageText();
  for (const [path, text] of [
    ['web/src/main.ts', 'second'],
    ['web/index.html', '<p>'],
    ['web/src/new.ts', ''],
    ['client/src/index.ts', 'export {}'],
    ['package-lock.json', '{}'],
  ] as const) {
    const before = builds;
    write(path, text);
    await pageText();
    assert.equal(builds, before + 1, path);
  }
  write('web/dist/assets/left.js', 'not a source');
  const before = builds;
  await pageText();
  assert.equal(builds, before);
});

test('a build that fails leaves the earlier page, or none, and says why in one line', async () => {
  writeSource('first');
  const build = () => Promise.reject(new Error('unexpected token\n    at a line'));
  assert.equal(await pageText({ build }), undefined);
  assert.deepEqual(said.splice(0), ['the page could not be built: unexpected token; the service starts without it']);
  await pageText();
  said.length = 0;
  writeSource('second');
  assert.equal(await pageText({ build }), 'first');
  assert.deepEqual(said, ['the page could not be built: unexpected token; an earlier build is served']);
});

test('without the package that builds, a start says so once and goes on with what is there', async () => {
  writeSource('first');
  assert.equal(await pageText({ canBuild: () => false }), undefined);
  assert.deepEqual(said.splice(0), [
    'the page is not built, as the package vite is not here; the service starts without it',
  ]);
  assert.equal(builds, 0);
});

test('a published package brings its build and no source: it is served as it is', async () => {
  write('web/dist/index.html', 'published');
  write('web/dist/source.txt', 'of another machine');
  assert.equal(await pageText({ canBuild: () => false }), 'published');
  assert.deepEqual(said, []);
});

test('a project without source and build starts without a page', async () => {
  assert.equal(await pageText(), undefined);
  assert.deepEqual(said, ['the page is not built, as its source is not here; the service starts without it']);
});

test('a folder that cannot be read costs the page and not the start', async () => {
  write('web/dist/source.txt/is-a-folder', '');
  assert.equal(await pageText(), undefined);
  assert.match(said.join('\n'), /^the page cannot be read: .*; the service starts without it$/);
});
