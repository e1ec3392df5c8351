import { join } from 'node:path';
import type { GuardTable } from '../../src/core/exchange/guards/guard-widths.ts';
import { loadGuards } from '../../src/reference/rules/guard-table.ts';

/** The widths of guards that the service itself reads. */
export const GUARDS: GuardTable = loadGuards(join(import.meta.dirname, '..', '..', 'data'));
