import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Arrangement,
  areaOf,
  moved,
  readArrangement,
  withLink,
  withoutPanel,
  withPanel,
  withShown,
  withSize,
} from './arrangement.ts';
import { FIRST_ARRANGEMENTS } from './workspaces.ts';

const FIRST: Arrangement = {
  places: {
    left: { panels: ['watchlist', 'alerts'], shown: 'watchlist', link: 'blue' },
    main: { panels: ['chart'], shown: 'chart', link: 'amber' },
  },
  sizes: { left: 300, right: 300, leftLow: 40, bottom: 40, rightLow: 40 },
};

test('a panel that is moved is shown in its new place and gone from the old one', () => {
  const after = moved(FIRST, 'watchlist', 'left', 'main');
  deepEqual(after.places.left, { panels: ['alerts'], shown: 'alerts', link: 'blue' });
  deepEqual(after.places.main, { panels: ['chart', 'watchlist'], shown: 'watchlist', link: 'amber' });
});

test('a panel that is moved to a place without panels opens it under its own colour', () => {
  const after = moved(FIRST, 'chart', 'main', 'bottom');
  equal(after.places.main, undefined);
  deepEqual(after.places.bottom, { panels: ['chart'], shown: 'chart', link: 'amber' });
});

test('a place goes with its last panel, but the last place stays', () => {
  const one = withoutPanel(FIRST, 'main', 'chart');
  equal(one.places.main, undefined);
  const two = withoutPanel(withoutPanel(one, 'left', 'watchlist'), 'left', 'alerts');
  deepEqual(two.places.left, { panels: ['alerts'], shown: 'alerts', link: 'blue' });
});

test('a panel may stand in two places, and a colour belongs to a place', () => {
  const after = withLink(withPanel(FIRST, 'right', 'chart', 'blue'), 'right', 'green');
  deepEqual(after.places.right, { panels: ['chart'], shown: 'chart', link: 'green' });
  equal(after.places.main?.link, 'amber');
  equal(areaOf(after, 'chart'), 'main');
  equal(areaOf(after, 'funds'), undefined);
});

test('a panel that stands elsewhere cannot be shown here', () => {
  equal(withShown(FIRST, 'main', 'alerts'), FIRST);
  equal(withShown(FIRST, 'left', 'alerts').places.left?.shown, 'alerts');
});

test('sizes are kept within their bounds', () => {
  equal(withSize(FIRST, 'left', 5).sizes.left, 180);
  equal(withSize(FIRST, 'bottom', 99.6).sizes.bottom, 85);
  equal(withSize(FIRST, 'right', 333.4).sizes.right, 333);
});

test('an arrangement that was kept comes back as it was', () => {
  for (const first of Object.values(FIRST_ARRANGEMENTS)) {
    deepEqual(readArrangement(JSON.parse(JSON.stringify(first)), FIRST), first);
  }
});

test('nothing that was kept and cannot be used reaches the page', () => {
  for (const value of [undefined, null, 7, 'text', [], { places: { left: { panels: ['gone'] } } }]) {
    equal(readArrangement(value, FIRST), FIRST);
  }
  const read = readArrangement(
    {
      places: { left: { panels: ['chart', 'chart', 'toString', 3], shown: 'gone', link: 'red' }, nowhere: {} },
      sizes: { left: 1e9, bottom: 'wide', right: Number.NaN },
    },
    FIRST,
  );
  deepEqual(read.places, { left: { panels: ['chart'], shown: 'chart', link: 'blue' } });
  deepEqual(read.sizes, { ...FIRST.sizes, left: 640 });
});
