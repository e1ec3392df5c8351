/**
 * Keeps the compiled code of all modules from one test file to the next: `node --import` loads this before each. To strip
 * the types of the project and to compile it is else half the time of most files. It is plain JavaScript, so that it
 * needs no stripping itself.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));
