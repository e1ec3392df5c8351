import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import { Random } from '../../base/random.ts';
import { UserIndex } from './user-index.ts';

test('the index finds what a map finds, and nobody else', () => {
  const accounts: { readonly userId: string }[] = [];
  const index = new UserIndex(accounts);
  const known = new Map<string, number>();
  const random = new Random(43);
  for (let user = 0; user < 20_000; user += 1) {
    const userId = user % 2 === 0 ? `U${user}` : `${String.fromCharCode(65 + random.below(26))}${random.below(1e9)}`;
    assert.equal(index.has(userId), known.has(userId));
    if (known.has(userId)) continue;
    known.set(userId, accounts.length);
    accounts.push({ userId });
    index.add((accounts.length - 1) as AccountId);
  }
  assert.equal(index.size, known.size);
  for (const [userId, id] of known) assert.equal(index.get(userId), id);
  for (const stranger of ['', 'U', 'U1', 'U40000', 'u2', 'U2 ', '\ud800'])
    assert.equal(index.get(stranger), known.get(stranger));
});
