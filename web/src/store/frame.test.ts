import { equal } from 'node:assert/strict';
import { mock, test } from 'node:test';
import { atNextFrame } from './frame.ts';

/** The pictures of a page that draws them when the test says so. */
const pictures: (() => void)[] = [];
Object.assign(globalThis, {
  requestAnimationFrame: (draw: () => void) => pictures.push(draw),
  cancelAnimationFrame: () => undefined,
});

test('work that is asked for often is done once, before the next picture', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let done = 0;
  const work = (): void => void done++;
  atNextFrame(work);
  atNextFrame(work);
  equal(done, 0);
  pictures.pop()?.();
  equal(done, 1);
  mock.timers.tick(10_000);
  equal(done, 1);
  mock.timers.reset();
});

test('work of a hidden page, which draws nothing, is done within a second', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let done = 0;
  atNextFrame(() => void done++);
  mock.timers.tick(1_000);
  equal(done, 1);
  // The picture of the page that is seen again finds nothing left.
  pictures.pop()?.();
  equal(done, 1);
  mock.timers.reset();
});
