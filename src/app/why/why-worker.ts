/**
 * The thread that answers one question of `getOrderWhy`: it reads the journal beside the service and hands the report
 * back, or nothing for an order that the journal does not have. It goes behind all threads of the service.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { standBack } from '../../os/thread-priority.ts';
import { orderWhy } from './order-why.ts';

/** The data with which the thread is started. */
export interface WhyWorkerData {
  /** The path of the data folder. */
  readonly data: string;
  readonly order: OrderNumber;
}

/** The last `nice` value of all. */
const PRIORITY = 19;

standBack(PRIORITY);
const { data, order } = workerData as WhyWorkerData;
must(parentPort, 'a worker has a parent').postMessage(orderWhy(dataFolder(data), order));
