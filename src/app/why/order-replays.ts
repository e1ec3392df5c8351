import { Worker } from 'node:worker_threads';
import type { OrderNumber } from '../../base/ids.ts';
import type { WhyReport } from '../../engine/why/why-report.ts';
import type { OrderReplay } from '../../gateway/why-questions.ts';
import type { WhyWorkerData } from './why-worker.ts';

/** A replay holds the state and the market of the service once more; beyond this its thread ends with an error. */
const MOST_HEAP_MIB = 1_024;

/** Judges an order again from the journal of a data folder, in a thread of its own. */
export function replayOrder(data: string, order: OrderNumber): OrderReplay {
  const workerData: WhyWorkerData = { data, order };
  const worker = new Worker(new URL('./why-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MIB },
  });
  worker.unref();
  const report = new Promise<WhyReport | undefined>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread that explains orders ended with code ${code}`)));
  });
  return { report, stop: () => void worker.terminate() };
}
