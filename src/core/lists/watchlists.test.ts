import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUTURE, fakeInstruments, IDEA, RELIANCE } from '../../../test/kit/wire/fake-instruments.ts';
import type { AccountId } from '../../base/ids.ts';
import { HOUR_MS, type IstDay, istInstant } from '../../base/time.ts';
import { listedOf } from './watchlists.ts';

const DAY = 20_777 as IstDay;
const AT = istInstant(DAY, 11 * HOUR_MS);
const LIST = { account: 0 as AccountId, name: 'one', instruments: [RELIANCE.id, FUTURE.id, IDEA.id] };

test('a watchlist shows what can be found by its symbol now', () => {
  assert.deepEqual(listedOf(fakeInstruments, LIST, DAY, AT), [RELIANCE, FUTURE, IDEA]);
  // A share that an import has delisted is known by its id alone.
  const { find } = fakeInstruments;
  const delisted: typeof find = (exchange, symbol, at) =>
    symbol === 'IDEA-EQ' ? undefined : find(exchange, symbol, at);
  assert.deepEqual(listedOf({ ...fakeInstruments, find: delisted }, LIST, DAY, AT), [RELIANCE, FUTURE]);
});
