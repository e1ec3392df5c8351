import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { outcomeRows } from '../../kit/outcome-table.ts';
import { OutcomeStage } from '../../kit/wire/outcome-stage.ts';

/* The table of rules in docs/outcomes.md, row by row. */

describe('the table of rules', () => {
  const rows = outcomeRows('The table of rules');
  for (const [number, [rule = [], requests = [], answers = []]] of rows.entries()) {
    it(`row ${number + 1}: ${rule.join(' ')}: ${requests.join(', ')}`, async () => {
      const stage = await OutcomeStage.open();
      after(() => stage.close());
      const [words = ''] = rule;
      if (!requests.includes('rule')) await stage.set(words);
      for (const word of requests) await (word === 'rule' ? stage.set(words) : stage.take(word));
      await stage.settle(answers.length);
      assert.deepEqual(stage.seen, answers);
      assert.deepEqual(stage.world.failures, []);
    });
  }
});
