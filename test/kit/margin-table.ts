import { join } from 'node:path';
import type { MarginTable } from '../../src/core/margin/rates/margin-rates.ts';
import { loadMargins } from '../../src/reference/rules/margin-table.ts';

/** The figures of margins that the service itself reads. */
export const MARGINS: MarginTable = loadMargins(join(import.meta.dirname, '..', '..', 'data'));
