/**
 * `npm run stories`: all stories of the terminal in Chromium, against one service that they share; `-- chart ticket`
 * those files alone. Needs Chromium: Debian's, or the one that `SAUDA_CHROMIUM` names.
 */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { serveChromium } from '../kit/chromium.ts';
import { timeWithRoom } from '../kit/time-with-room.ts';
import { StartedService, temporaryFolder } from '../process/start/started-service.ts';
import { BROWSER_VARIABLE, reachedOf, SERVICE_VARIABLE, STORY_SETTINGS } from './kit/shared.ts';

const ENDING = '.stories.ts';
/** A file that takes longer hangs. */
const LONGEST_MS = 600_000;
const words = process.argv.slice(2);
const files = globSync(join(import.meta.dirname, `*${ENDING}`))
  .filter((file) => words.length === 0 || words.includes(basename(file, ENDING)))
  .sort();
if (files.length === 0) throw new Error(`there are no stories of ${words.join(', ')}`);

await timeWithRoom();
const folder = temporaryFolder();
const [service, browser] = await Promise.all([StartedService.start(folder.path, STORY_SETTINGS), serveChromium()]);
process.env[SERVICE_VARIABLE] = JSON.stringify(reachedOf(service));
process.env[BROWSER_VARIABLE] = browser.wsEndpoint();

// Two at a time: more of them wait for the two processors, and not for each other.
const events = run({ files, concurrency: 2, forceExit: true, timeout: LONGEST_MS });
events.on('test:fail', () => {
  process.exitCode = 1;
});
events.on('end', () => {
  void browser.close().then(() => folder.remove());
});
events.compose(spec).pipe(process.stdout);
