import { openFileJournal } from '../../../src/journal/file-journal.ts';
import { fill } from '../../kit/journal/sample.ts';

/** Opens the journal of a folder, writes a little and holds it until it is killed. Says over IPC how it went. */
try {
  const journal = await openFileJournal({ folder: process.argv[2] ?? '' });
  await fill(journal, journal.head().seq + 10);
  process.send?.({ opened: true, seq: journal.head().seq });
} catch (error) {
  process.send?.({ opened: false, message: String(error) });
  process.exitCode = 1;
}
