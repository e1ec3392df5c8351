import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { GUIDES } from '../../../src/gateway/reference/guides.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The TypeScript of a guide. */
function programOf(name: string): string {
  const text = readFileSync(join(ROOT, 'docs', 'guides', `${name}.md`), 'utf8');
  return Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = '']) => block).join('\n');
}

test('the programs of the guides agree with the types of the client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-guides-'));
  const programs = GUIDES.map(({ name }) => ({ name, text: programOf(name) })).filter(({ text }) => text !== '');
  assert.ok(programs.length >= 2);
  for (const { name, text } of programs) writeFileSync(join(folder, `${name}.ts`), text);
  const compilerOptions = {
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
    paths: { '@sauda/client': [join(ROOT, 'client', 'src', 'index.ts')] },
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const settings = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const output = await new Promise<string>((resolve) => {
    execFile(compiler, ['--noEmit', '-p', folder], (error, stdout) => resolve(`${error?.message ?? ''}${stdout}`));
  });
  rmSync(folder, { recursive: true, force: true });
  assert.equal(output, '');
});
