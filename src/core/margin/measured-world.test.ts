import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Paise, ZERO_PAISE } from '../../base/money.ts';
import { Dearest, type Part } from './measured-world.ts';
import type { Leg } from './offset-group.ts';
import { BOUGHT, HELD, SOLD, type World } from './worlds.ts';

const PART: Part = { leg: {} as Leg, units: 65 };
const OTHER_PART: Part = { leg: {} as Leg, units: -65 };

/** A search that has found one world, which needs these paise; the exposure is what SPAN leaves of them. */
function found(world: World, total: number, span = total, part?: Part): Dearest {
  const dearest = new Dearest();
  dearest.keep(world, part, span as Paise, (total - span) as Paise, ZERO_PAISE, total as Paise);
  return dearest;
}

/** The first search, when it has taken what the second found. */
function merged(first: Dearest, second: Dearest): Dearest {
  first.take(second);
  return first;
}

describe('the dearest of the measured worlds', () => {
  it('knows nothing before a world was measured, and again when it is cleared', () => {
    const dearest = found(SOLD, 0, 0, PART);
    assert.ok(dearest.isKnown);
    dearest.clear();
    assert.ok(!dearest.isKnown);
    assert.equal(dearest.part, undefined);
    dearest.raise(0 as Paise);
    assert.ok(dearest.isKnown, 'a need without premium was measured');
  });

  it('is the one that needs more, with all its figures', () => {
    const more = found(SOLD, 500, 300, PART);
    const { world, part, span, exposure, total } = merged(found(BOUGHT, 499), more);
    assert.deepEqual([world, part, span, exposure, total], [SOLD, PART, 300, 200, 500]);
    assert.equal(merged(found(BOUGHT, 500), found(SOLD, 499, 499, PART)).world, BOUGHT);
  });

  it('is the first of whole worlds, and of a world and a part, that need the same', () => {
    assert.equal(merged(found(BOUGHT, 500, 100), found(SOLD, 500, 400)).world, BOUGHT);
    assert.equal(merged(found(HELD, 500, 100), found(HELD, 500, 400, PART)).part, undefined);
    assert.equal(merged(found(HELD, 500, 100, PART), found(SOLD, 500, 400)).part, PART);
  });

  it('is of two parts that need the same the one with more SPAN, whichever comes first', () => {
    assert.equal(merged(found(HELD, 500, 100, PART), found(HELD, 500, 400, OTHER_PART)).part, OTHER_PART);
    assert.equal(merged(found(HELD, 500, 400, OTHER_PART), found(HELD, 500, 100, PART)).part, OTHER_PART);
    assert.equal(merged(found(HELD, 500, 400, PART), found(HELD, 500, 400, OTHER_PART)).part, PART);
  });

  it('needs without premium what the world needs that needs most so', () => {
    const dearest = found(HELD, 500);
    for (const need of [20, 70, 30]) dearest.raise(need as Paise);
    assert.equal(dearest.unpaid, 70);
    assert.equal(dearest.total, 500);
  });
});
