/**
 * Keeps the compiled code of all modules between the test files, as `node --import` loads it before each. Stripping the
 * types of the project and compiling it would else be half the time of most files. Plain JavaScript: it comes before the stripping.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));
