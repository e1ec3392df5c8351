import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const MODULE = new URL('./free-memory.ts', import.meta.url).href;
/** Prints the resident memory with 60 MB of small pieces between others that stay, freed, and given back. */
const TRIMMING = `
import { collectSmallHeap, giveFreeMemoryBack } from '${MODULE}';
let gone = [];
const stay = [];
for (let i = 0; i < 60_000; i += 1) {
  gone.push(Buffer.allocUnsafeSlow(1_000).fill(1));
  if (i % 100 === 0) stay.push(Buffer.allocUnsafeSlow(1_000).fill(1));
}
const full = process.memoryUsage.rss();
gone = undefined;
collectSmallHeap();
// Another thread frees the memory of buffers.
await new Promise((resolve) => setTimeout(resolve, 300));
giveFreeMemoryBack();
console.log(JSON.stringify({ full, given: process.memoryUsage.rss(), gc: typeof globalThis.gc, stay: stay.length }));
`;

test('memory that the collector frees goes back to the system, with no trace of how', () => {
  const output = execFileSync(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    TRIMMING,
  ]);
  const { full, given, gc } = JSON.parse(output.toString()) as Record<string, number>;
  assert.equal(gc, 'undefined');
  if (process.platform !== 'linux') return;
  assert.ok(Number(full) - Number(given) > 40_000_000, `${full} bytes full and ${given} given back`);
});
