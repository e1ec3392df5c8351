import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readPageFiles, stampOf } from '../../../src/page/page-files.ts';
import { pageSourceOf } from '../../../src/page/page-source.ts';
import { PROJECT } from './started-service.ts';

let project: string;
const dist = () => join(project, 'web', 'dist');

/** A copy with what a build may read, so that a page which needs anything else of the service is not built. */
before(() => {
  project = mkdtempSync(join(tmpdir(), 'sauda-page-build-'));
  for (const path of [
    'web',
    'client/src',
    'src/page',
    'package.json',
    'package-lock.json',
    'tsconfig.base.json',
    'tsconfig.web.json',
  ]) {
    const filter = (source: string) => !/\/web\/(dist|\.build-[^/]*)(\/|$)/.test(source);
    cpSync(join(PROJECT, path), join(project, path), { recursive: true, filter });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
});

after(() => rmSync(project, { recursive: true, force: true }));

async function build(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(project, 'src/page/builder.ts')], {
    cwd: project,
    timeout: 200_000,
  });
  return stdout.trim();
}

test('builds at the same time leave one whole build, and nothing beside it', async () => {
  const left = join(project, 'web', '.build-killed');
  mkdirSync(left);
  utimesSync(left, 1, 1);
  for (const line of await Promise.all([build(), build(), build()])) {
    assert.match(line, /^the page is built in \d+\.\d s$/);
  }
  assert.equal(stampOf(dist()), pageSourceOf(project));
  const files = readPageFiles(dist()) ?? assert.fail('no build');
  assert.ok(files.has('/index.html') && files.has('/operator.html'));
  assert.deepEqual(
    readdirSync(join(project, 'web')).filter((name) => name.startsWith('.build-')),
    [],
  );
  assert.equal(statSync(dist()).mode & 0o777, 0o755);
});

test('every text of some length is packed twice, and holds neither inline code nor inline styles', () => {
  const files = readPageFiles(dist()) ?? assert.fail('no build');
  for (const [path, { type, plain, packed }] of files) {
    if (plain.length < 512 || !/^(text|application)\//.test(type)) continue;
    assert.ok(brotliDecompressSync(packed.get('br') ?? '').equals(plain), path);
    assert.ok(gunzipSync(packed.get('gzip') ?? '').equals(plain), path);
    assert.ok((packed.get('br')?.length ?? 0) < plain.length, path);
    if (!path.endsWith('.html')) continue;
    assert.doesNotMatch(plain.toString(), /<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=/i, path);
  }
});

test('a build that fails leaves the build before it as it was', async () => {
  const stamp = stampOf(dist());
  appendFileSync(join(project, 'web/src/main.tsx'), '\nconst = ;\n');
  await assert.rejects(build(), ({ stderr }: { readonly stderr: string }) =>
    /^\[.*\] [^\n]+ \(web\/src\/main\.tsx:\d+:\d+\)\n$/.test(stderr),
  );
  assert.equal(stampOf(dist()), stamp);
  assert.ok(readPageFiles(dist())?.has('/index.html'));
});
