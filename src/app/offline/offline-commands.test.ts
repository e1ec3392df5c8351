import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../../folder/data-folder.ts';
import { EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { searchAudit } from './offline-commands.ts';

test('a search of the audit trail refuses a kind of line that is not one as a word of the command line', () => {
  const search = (kind: string): unknown => [...searchAudit(dataFolder('/nowhere'), { kind }, 'text')];
  assert.throws(() => search('Bogus'), { message: 'Bogus is not a kind of line', exitCode: EXIT_USAGE });
  assert.throws(() => search('Command'), { exitCode: EXIT_FAILED, message: /no audit trail/ });
});
