import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChargeRateTable } from '../../src/reference/rules/charge-table.ts';
import { readTable } from '../../src/reference/rules/data-table.ts';

const FILE = join(import.meta.dirname, '..', '..', 'data', 'rules', 'charges.csv');

/** The charges that the service itself reads. */
export const CHARGES = new ChargeRateTable(readTable('charges.csv', readFileSync(FILE, 'utf8')));
