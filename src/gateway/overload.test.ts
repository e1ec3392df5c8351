import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Overload } from './overload.ts';

/** An event loop by hand. */
class Loop {
  now = 1_000;
  private next: (() => void)[] = [];
  readonly overload = new Overload({
    elapsed: () => this.now,
    afterTurn: (work) => this.next.push(work),
  });

  endTurn(): void {
    const works = this.next;
    this.next = [];
    for (const work of works) work();
  }

  /** Takes requests that cost an eighth of a millisecond each; how many of them were refused. */
  take(count: number, rate: 'order' | 'other' | 'amend'): number {
    let refused = 0;
    for (let i = 0; i < count; i += 1) {
      if (this.overload.refuses(rate)) refused += 1;
      else this.now += 0.125;
    }
    return refused;
  }
}

test('a queue that is answered in time is answered whole', () => {
  const loop = new Loop();
  for (let turn = 0; turn < 10; turn += 1) {
    assert.equal(loop.take(100, 'order'), 0);
    loop.endTurn();
  }
  assert.equal(loop.overload.refused, 0);
});

test('in a long turn new orders are refused first, then questions, then amendments', () => {
  const loop = new Loop();
  assert.equal(loop.take(140, 'other'), 0);
  assert.equal(loop.take(5, 'order'), 5);
  assert.equal(loop.take(240, 'other'), 139);
  assert.equal(loop.take(5, 'order'), 5);
  assert.equal(loop.take(600, 'amend'), 200);
  assert.equal(loop.overload.refused, 349);
});

test('the next turn begins with patience', () => {
  const loop = new Loop();
  loop.take(140, 'other');
  assert.equal(loop.take(1, 'order'), 1);
  loop.endTurn();
  assert.equal(loop.take(20, 'order'), 0);
});

test('few requests are not a queue, however long they waited', () => {
  const loop = new Loop();
  assert.equal(loop.take(1, 'order'), 0);
  loop.now += 10_000;
  assert.equal(loop.take(127, 'order'), 0);
  assert.equal(loop.take(1, 'order'), 1);
});

test('work that waited for its turn too long is refused when many wait, the only request of a client after ten times as long', () => {
  const { overload } = new Loop();
  assert.equal(overload.isLate('other', 5_000, 128, false), false);
  assert.equal(overload.isLate('other', 30, 129, false), false);
  assert.equal(overload.isLate('other', 31, 129, false), true);
  assert.equal(overload.isLate('order', 31, 129, true), false);
  assert.equal(overload.isLate('order', 151, 129, true), true);
  assert.equal(overload.refused, 2);
});
