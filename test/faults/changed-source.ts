import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
/** The source folders that the service and the engine of `test/process/kill` are made of. */
const COPIED = ['src', 'client/src', 'bin', 'package.json', 'test/process/kill', 'test/kit'];
const LINKED = ['data', 'node_modules'];

/** One place of the source, as it is and as it is to be. */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * A copy of the project with a protection taken away: the root of it. A fault that the product stands must be seen by
 * the same check when it hits the copy. Fails when a place is not there exactly once, so no control goes on with a
 * source that is unchanged.
 */
export function changedSource(scratch: string, name: string, changes: readonly Change[]): string {
  const root = join(scratch, name);
  mkdirSync(join(root, 'test'), { recursive: true });
  for (const path of COPIED) cpSync(join(PROJECT, path), join(root, path), { recursive: true, filter: isSource });
  for (const path of LINKED) symlinkSync(join(PROJECT, path), join(root, path));
  for (const { file, from, to } of changes) {
    const text = readFileSync(join(root, file), 'utf8');
    assert.equal(text.split(from).length, 2, `${file} has "${from}" once`);
    writeFileSync(
      join(root, file),
      text.replace(from, () => to),
    );
  }
  return root;
}

function isSource(path: string): boolean {
  return !path.endsWith('.test.ts') && !path.endsWith('golden');
}

/** Groups are acknowledged before they are written. */
export const ACKNOWLEDGED_EARLY: Change = {
  file: 'src/journal/segments/segment-log.ts',
  from: '    this.write(frame);\n    this.file.flush();\n    this.end = end;',
  to:
    '    globalThis.late ??= [];\n' +
    '    globalThis.late.push({ due: performance.now() + 200, file: this.file, at: this.end, bytes: frame.slice() });\n' +
    '    while (globalThis.late[0]?.due < performance.now()) {\n' +
    '      const { file, at, bytes } = globalThis.late.shift();\n' +
    '      try { file.write(at, bytes); } catch {}\n' +
    '    }\n' +
    '    this.end = end;',
};

/** The mark never moves, so that only the clients know what was acknowledged to them. */
export const NO_MARK: Change = {
  file: 'src/journal/high-water-mark.ts',
  from: '    this.file.write(this.slot * SLOT_BYTES, this.content);\n',
  to: '',
};

/** A flush that failed is called again, as if it could be had by asking twice. */
export const FLUSHED_AGAIN: Change = {
  file: 'src/journal/disk/real-disk.ts',
  from: '    fdatasyncSync(this.descriptor);',
  to: '    try {\n      fdatasyncSync(this.descriptor);\n    } catch {\n      fdatasyncSync(this.descriptor);\n    }',
};
