import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { promisify } from 'node:util';
import { JOINED_PACKAGE, mainOf, SOURCES } from '../../../bin/joined-main.mjs';
import { PROJECT, temporaryFolder } from './started-service.ts';

const PARTS = `export const place: string = import.meta.dirname;\nexport class Part {\n  made;\n}\n`;
const MAIN = `import { Part, place } from './parts/part.ts';
const { late } = await import('./late.ts');
console.log(place, new URL('./worker.ts', import.meta.url).pathname, Object.keys(new Part()), late);
`;

let folder: ReturnType<typeof temporaryFolder>;
let project: string;

/** A small project, with the launcher of this one. */
beforeEach(() => {
  folder = temporaryFolder();
  project = join(folder.path, 'project');
  mkdirSync(join(project, 'src', 'parts'), { recursive: true });
  for (const path of ['node_modules', 'client/src']) mkdirSync(join(project, path), { recursive: true });
  cpSync(join(PROJECT, 'bin'), join(project, 'bin'), { recursive: true });
  for (const name of ['rolldown', JOINED_PACKAGE]) {
    symlinkSync(join(PROJECT, 'node_modules', name), join(project, 'node_modules', name));
  }
  write('main.ts', MAIN);
  write('late.ts', 'export const late = 1;\n');
  write('parts/part.ts', PARTS);
});

afterEach(() => folder.remove());

function write(path: string, text: string): void {
  writeFileSync(join(project, 'src', path), text);
}

function outputOf(main: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout;
}

function joinedMain(): string {
  return mainOf(project, process.execPath);
}

test('the joined source does the same as the source, from its own places', () => {
  const joined = joinedMain();
  assert.match(joined, /node_modules.\.cache.joined.\w+.main\.mjs$/);
  assert.equal(outputOf(joined), outputOf(join(project, 'src', 'main.ts')));
  assert.equal(joinedMain(), joined, 'it is joined once');
});

test('each change of the source is joined, and what no start used for an hour is removed', () => {
  const before = joinedMain();
  const kept = join(dirname(dirname(before)), 'kept');
  mkdirSync(kept);
  const old = new Date(Date.now() - 3_700_000);
  utimesSync(dirname(before), old, old);
  write('late.ts', 'export const late = 2;\n');
  const after = joinedMain();
  assert.notEqual(after, before);
  assert.match(outputOf(after), / 2\n$/);
  assert.deepEqual([existsSync(before), existsSync(kept)], [false, true]);
});

test('starts at once join the same source, and leave nothing else', async () => {
  const script =
    "import { JOINED_PACKAGE, mainOf, SOURCES } from './bin/joined-main.mjs'; console.log(mainOf(process.cwd(), process.execPath));";
  const runs = Array.from({ length: 3 }, () => {
    return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: project });
  });
  const mains = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
  assert.equal(new Set(mains).size, 1);
  const [main = ''] = mains;
  assert.equal(outputOf(main), outputOf(join(project, 'src', 'main.ts')));
  assert.equal(readdirSync(dirname(dirname(main))).length, 1);
});

test('a source that cannot be joined runs as it is, and one line says why', (t) => {
  write('late.ts', 'export const late = ;\n');
  const said = mock.method(console, 'error', () => undefined);
  t.after(() => said.mock.restore());
  assert.equal(joinedMain(), join(project, 'src', 'main.ts'));
  assert.equal(said.mock.callCount(), 1);
  assert.match(
    String(said.mock.calls[0]?.arguments[0]),
    /^The source files could not be joined, so they run as they are: .*Unexpected token, .*late\.ts:1$/,
  );
  assert.deepEqual(readdirSync(join(project, 'node_modules', '.cache', 'joined')), []);
});

test('without the package that joins, or without a place to write to, the source runs as it is', (t) => {
  const said = mock.method(console, 'error', () => undefined);
  t.after(() => said.mock.restore());
  writeFileSync(join(project, 'node_modules', '.cache'), '');
  assert.equal(joinedMain(), join(project, 'src', 'main.ts'));
  assert.equal(said.mock.callCount(), 1);
  assert.equal(mainOf(join(project, 'bin'), process.execPath), join(project, 'bin', 'src', 'main.ts'));
  assert.equal(said.mock.callCount(), 1);
});

test('all that the program of this project is made of is looked at for changes', () => {
  const folder = dirname(mainOf(PROJECT, process.execPath));
  assert.notEqual(folder, join(PROJECT, 'src'));
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const files = texts.flatMap((text) => Array.from(text.matchAll(/^\/\/ (\w+\/\S+\.\w+)$/gm), ([, file = '']) => file));
  assert.ok(files.length > 500, `${files.length} files`);
  const known = [...SOURCES, `node_modules/${JOINED_PACKAGE}`].map((folder) => `${folder}/`);
  assert.deepEqual(
    files.filter((file) => !known.some((folder) => file.startsWith(folder))),
    [],
  );
});
