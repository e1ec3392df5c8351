/** Loaded into all threads of a traced service: only its main thread is traced. */

import { isMainThread } from 'node:worker_threads';

if (isMainThread) await import('./tracing.ts');
