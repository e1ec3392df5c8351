import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

/** A copy of some folders of the source, which a test changes and gives to the compiler. It goes with the test. */
export class SourceCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sauda-copy-'));

  /** `settings`: those of the compiler beside the base, and the files that it begins with. */
  constructor(folders: readonly string[], settings: object) {
    after(() => rmSync(this.folder, { recursive: true }));
    for (const folder of folders) cpSync(join(ROOT, folder), join(this.folder, folder), { recursive: true });
    for (const file of ['tsconfig.base.json', 'package.json']) cpSync(join(ROOT, file), join(this.folder, file));
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    this.write('tsconfig.json', JSON.stringify({ extends: './tsconfig.base.json', ...settings }));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  /** Replaces a text in all files. */
  replaceAll(text: string, by: string): void {
    for (const path of globSync('**/*.ts', { cwd: this.folder, exclude: (name) => name === 'node_modules' })) {
      const before = this.read(path);
      if (before.includes(text)) this.write(path, before.replaceAll(text, by));
    }
  }

  /** The compiler's errors, each with what it explains it by. */
  errors(): string[] {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', this.folder], {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    assert.ok(status !== null, 'the compiler came to its end');
    return stdout.split(/\n(?=\S)/).filter((error) => error !== '');
  }
}
