import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceCopy } from './source-copy.ts';

/*
 * An order reads its row through its class, so `{ ...order }` and `{ account, ...rest } = order` take none of its
 * fields, and the compiler says nothing. In a copy of the source an order is a number too, which nobody can spread: so
 * the compiler names each place that does. `Readonly` would hide the number. `copyOf` takes all fields.
 */

const ORDER = 'src/core/order.ts';
const CONTROL = 'src/core/control.ts';
/** Spread types, and rest types, may only be created from object types. */
const SPREAD = /error TS(?:2698|2700):/;

test('nobody takes the fields of an order by a spread, which finds none', () => {
  const copy = new SourceCopy(['src', 'client/src'], {
    compilerOptions: { types: ['node'] },
    include: ['src'],
    exclude: ['**/*.test.ts', '**/*fixture.ts'],
  });
  const order = copy.read(ORDER);
  const declared = 'export interface Order {';
  assert.ok(order.includes(declared), `${ORDER} declares Order`);
  copy.write(
    ORDER,
    order.replace(declared, `export type Order = OrderFields & bigint;\nexport interface OrderFields {`),
  );
  copy.write(
    CONTROL,
    `import type { Order } from './order.ts';
    export const whole = (order: Readonly<Order>) => ({ ...order });
    export function rest(order: Order): object {
      const { account, ...others } = order;
      return { account, others };
    }`,
  );
  copy.replaceAll('Readonly<Order>', 'Order');
  const found = copy.errors().filter((error) => SPREAD.test(error) && !lineOf(copy, error).includes('...copyOf('));
  const [controls, others] = [true, false].map((isControl) =>
    found.filter((error) => error.startsWith(CONTROL) === isControl),
  );
  assert.equal(controls?.length, 2, 'both ways are seen');
  assert.deepEqual(others, []);
});

/** The line of the source that an error is about. */
function lineOf(copy: SourceCopy, error: string): string {
  const [, path = '', line = ''] = /^(.+?)\((\d+),/.exec(error) ?? [];
  return copy.read(path).split('\n')[Number(line) - 1] ?? '';
}
