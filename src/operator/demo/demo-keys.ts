import { freshApiKey } from '../operations/issued-credentials.ts';
import type { KeyOperations } from '../operations/key-operations.ts';
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts';

/** A start renews the keys of demo users when one of them is good for fewer days than that. */
const RENEWED_WITHIN_DAYS = 30;
const GROUNDS = { by: 'sauda', why: 'the API keys of the demo users are near their end' };

/**
 * Renews the API keys of demo users before they end: the file has the new ones before the first is in force, so that a
 * renewal which was cut off is completed by the next start. The next report of a start prints them. When the
 * disk refuses the file, `log` reports it and the start goes on. Source: market-rules R9.8.
 */
export async function renewDemoKeys(path: string, keys: KeyOperations, log: (message: string) => void): Promise<void> {
  const known = readDemoFile(path);
  if (!known?.complete) return;
  if (!known.renewing && !(await keys.endsWithin(known.users, RENEWED_WITHIN_DAYS))) return;
  const users = known.renewing ? known.users : known.users.map((user) => ({ ...user, apiKey: freshApiKey() }));
  const file = { complete: true, unshown: true, users } as const;
  if (!known.renewing && !hasWritten(path, { ...file, renewing: true }, log)) return;
  await keys.renewDemo(users, GROUNDS);
  writeDemoFile(path, file);
}

function hasWritten(path: string, file: DemoFile, log: (message: string) => void): boolean {
  try {
    writeDemoFile(path, file);
    return true;
  } catch (error) {
    // It stands there, but may not survive a cut of the power: the keys that are in force are not in it.
    if (readDemoFile(path)?.renewing) throw error;
    log(`${path} could not be written, so a later start renews the API keys of the demo users: ${String(error)}`);
    return false;
  }
}
