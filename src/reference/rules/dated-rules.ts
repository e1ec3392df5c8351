import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GuardTable } from '../../core/exchange/guards/guard-widths.ts';
import type { MarginTable } from '../../core/margin/rates/margin-rates.ts';
import { ChargeRateTable } from './charge-table.ts';
import { readTable } from './data-table.ts';
import { loadGuards } from './guard-table.ts';
import { loadMargins } from './margin-table.ts';

/** The dated rules that decisions look at, each the port of its name. */
export interface DatedRules {
  readonly charges: ChargeRateTable;
  readonly margins: MarginTable;
  readonly guards: GuardTable;
}

/** Reads them from the data folder. Throws when a file is missing or a cell is not what its column says. */
export function loadRules(dataFolder: string): DatedRules {
  const charges = readTable('charges.csv', readFileSync(join(dataFolder, 'rules', 'charges.csv'), 'utf8'));
  return {
    charges: new ChargeRateTable(charges),
    margins: loadMargins(dataFolder),
    guards: loadGuards(dataFolder),
  };
}
