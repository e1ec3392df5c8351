import { openFileJournal } from '../../../src/journal/file-journal.ts';
import { sampleGroup } from '../../kit/journal/sample.ts';

/**
 * Appends to the journal of a folder until a commit fails, and twice more. Says over IPC what was durable and how each
 * of them failed.
 */
const journal = await openFileJournal({ folder: process.argv[2] ?? '' });
const failures: string[] = [];
while (failures.length < 3) {
  try {
    await journal.append(sampleGroup(journal.head().seq + 1, 1_000));
  } catch (error) {
    failures.push(String(error));
  }
}
process.send?.({ seq: journal.head().seq, failures }, () => process.exit(0));
