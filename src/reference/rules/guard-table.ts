/**
 * The widths of guards by day, from `rules/guard-widths.csv` (in rupees up to a reference price, in percent above it)
 * and `rules/market-protection.csv` (in percent below a reference price). A row, of slabs all rows of a day, holds
 * until later ones of its class. The guards themselves are in `core/exchange/guards`. Source: market-rules R0.9, R1.46
 * to R1.48, R3.8.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, must } from '../../base/assert.ts';
import type { Tick } from '../../base/ids.ts';
import { dayOf, firstTickOf } from '../../base/tick.ts';
import { DAY_MS, type EpochMs, type IstDay, istDay, SECOND_MS } from '../../base/time.ts';
import type { GuardTable, GuardWidths, Slab, Width } from '../../core/exchange/guards/guard-widths.ts';
import { type DataRow, readTable } from './data-table.ts';
import { byKey, type Dated, effectiveOn } from './dated.ts';

const GUARDS = ['protection', 'execution', 'gap'] as const;
const CLASSES = ['option', 'future', 'other'] as const;
/** A protection is in ten-thousandths of a percent. */
const PER_PERCENT = 10_000;

export class GuardWidthTable implements GuardTable {
  private readonly widths: ReadonlyMap<string, readonly (Dated & { readonly width: Width })[]>;
  private readonly slabs: ReadonlyMap<string, readonly (Dated & { readonly slab: Slab })[]>;
  /** The last answer, and the ticks from and to which it holds: nearly all questions are of one day. */
  private found: GuardWidths;
  private from = 0;
  private until = 0;

  constructor(widths: readonly DataRow[], slabs: readonly DataRow[]) {
    const entries = widths.map((row) => ({
      key: `${row.oneOf('guard', GUARDS)} ${row.oneOf('class', CLASSES)}`,
      from: row.day('from'),
      width: { upTo: row.price('upTo'), paise: row.price('rupees'), percent: row.number('percent') },
    }));
    this.widths = byKey(entries, ({ key }) => key);
    const steps = slabs.map((row) => ({ key: row.oneOf('class', CLASSES), from: row.day('from'), slab: slabOf(row) }));
    this.slabs = byKey(steps, ({ key }) => key);
    for (const { from } of [...entries, ...steps]) this.build(from);
    this.found = this.build(istDay(0 as EpochMs));
  }

  at(tick: Tick): GuardWidths {
    if (tick >= this.from && tick < this.until) return this.found;
    const day = dayOf(tick);
    this.from = firstTickOf(day);
    this.until = this.from + DAY_MS / SECOND_MS;
    this.found = this.build(day);
    return this.found;
  }

  private build(day: IstDay): GuardWidths {
    const width = (guard: string, of: string): Width =>
      effectiveOn(must(this.widths.get(`${guard} ${of}`), `no ${guard} of the class ${of}`), day).width;
    return {
      protection: { future: width('protection', 'future'), option: width('protection', 'option') },
      execution: { future: width('execution', 'future'), option: width('execution', 'option') },
      gap: { option: width('gap', 'option'), other: width('gap', 'other') },
      slabs: { option: this.slabsOn('option', day), other: this.slabsOn('other', day) },
    };
  }

  private slabsOn(of: 'option' | 'other', day: IstDay): readonly Slab[] {
    const entries = must(this.slabs.get(of), `no protection of the class ${of}`);
    const { from } = effectiveOn(entries, day);
    const slabs = entries.filter((entry) => entry.from === from).map(({ slab }) => slab);
    assert(slabs.at(-1)?.below === Number.POSITIVE_INFINITY, 'the last slab has no end');
    assert(
      slabs.every(({ below }, index) => below > (slabs[index - 1]?.below ?? 0)),
      'slabs ascend',
    );
    return slabs;
  }
}

/** Reads the widths of a data folder. Throws when a file is missing or a cell is not what its column says. */
export function loadGuards(dataFolder: string): GuardTable {
  const table = (name: string) => readTable(name, readFileSync(join(dataFolder, 'rules', name), 'utf8'));
  return new GuardWidthTable(table('guard-widths.csv'), table('market-protection.csv'));
}

function slabOf(row: DataRow): Slab {
  const protection = row.number('percent') * PER_PERCENT;
  assert(Number.isInteger(protection), 'a protection has four decimals at most');
  return { below: row.optionalPrice('below') ?? Number.POSITIVE_INFINITY, protection };
}
