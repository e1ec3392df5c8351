import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ScalarScript } from './scalar-worker.ts';
import { readable } from './unreadable.ts';

const PACKAGE = '@scalar/fastify-api-reference';

/**
 * The script that draws the reference, read when it is first asked for. It is read in a thread, so nobody waits for it
 * but those who ask for the reference. When it cannot be read the promise rejects with `Unreadable`, and the next one
 * tries again.
 */
export class ScalarReader {
  private script: Promise<ScalarScript> | undefined;

  read(): Promise<ScalarScript> {
    if (this.script === undefined) {
      this.script = readable(readInThread());
      this.script.catch(() => {
        this.script = undefined;
      });
    }
    return this.script;
  }
}

async function readInThread(): Promise<ScalarScript> {
  const file = fileURLToPath(import.meta.resolve(PACKAGE));
  const worker = new Worker(new URL('./scalar-worker.ts', import.meta.url), { workerData: file });
  const [script] = (await once(worker, 'message')) as [ScalarScript];
  return script;
}
