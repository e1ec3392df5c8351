/**
 * The thread that takes the script of the reference out of its package: five megabytes of text are parsed, hashed and
 * packed beside the event loop. It answers once, and ends.
 */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { must } from '../../base/assert.ts';

/** The package keeps the script as one literal, on one line. */
const BEFORE = '\nvar standalone_default = ';
const AFTER = ';\n';
const HASH_LENGTH = 16;

/** The script as its clients get it. */
export interface ScalarScript {
  /** The first characters of the SHA-256 of the script, in hexadecimal. */
  readonly hash: string;
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
}

function scriptOf(source: string): string {
  const start = source.indexOf(BEFORE) + BEFORE.length;
  const end = source.indexOf(AFTER, start);
  if (start < BEFORE.length || end < 0) throw new Error('the package of the reference holds no script');
  const script: unknown = runInNewContext(source.slice(start, end));
  if (typeof script !== 'string') throw new Error('the script of the reference is not text');
  // The line names a map of the source, which is not served.
  return script.replace(/\n\/\/# sourceMappingURL=.*$/, '\n');
}

function answer(): void {
  const plain = Buffer.from(scriptOf(readFileSync(String(workerData), 'utf8')));
  const script = {
    hash: hash('sha256', plain).slice(0, HASH_LENGTH),
    plain: new Uint8Array(plain),
    gzip: new Uint8Array(gzipSync(plain)),
  } satisfies ScalarScript;
  // The bytes are handed over and not copied: that would be work of the event loop.
  const moved = [script.plain.buffer, script.gzip.buffer];
  must(parentPort, 'the thread of the reference has no parent').postMessage(script, moved);
}

answer();
