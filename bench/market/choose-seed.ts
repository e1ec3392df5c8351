/**
 * Ranks seeds by how ordinary their markets are around a day; the default seed of a release is chosen by it
 * (docs/market.md). Run by hand: `node bench/market/choose-seed.ts [--of FOLDER] [--day 2026-11-23] [--seeds 60]`.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ordinarySeeds } from './ordinary-seeds.ts';
import { printTable } from './report.ts';
import { day, subjectsOf } from './subject.ts';

const SHOWN = 15;
/** Always shown, to compare: the default of the first releases. */
const FIRST_DEFAULT = 1;

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    day: { type: 'string', default: '2026-11-23' },
    seeds: { type: 'string', default: '60' },
  },
});
const seeds = Array.from({ length: Number(options.seeds) }, (_, i) => i + 1);
const ranked = ordinarySeeds(await subjectsOf(options.of), seeds, day(options.day));
const lines = ranked.flatMap((one, place) => (place < SHOWN || one.seed === FIRST_DEFAULT ? [{ ...one, place }] : []));
printTable(
  ['place', 'seed', 'in the outer tenths', 'distance from the middle'],
  lines.map(({ place, seed, outside, of, distance }) => [
    String(place + 1),
    String(seed),
    `${outside} of ${of}`,
    distance.toFixed(3),
  ]),
);
