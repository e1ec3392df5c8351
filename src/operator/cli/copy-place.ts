import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** File systems in memory, as the system names them: nothing there lasts. */
const NO_DISK = ['/proc', '/sys', '/dev'];
/** A file system in memory that may be written to. */
const MEMORY = '/dev/shm';

/** Why a data folder cannot be copied from or to `place`, in words; `undefined` when nothing speaks against it yet. */
export function placeFault(place: string, data: string): string | undefined {
  if (place.trim() === '') return 'the path of the folder is blank';
  const real = realPlace(resolve(place));
  const own = realPlace(resolve(data));
  if (!isWithin(real, MEMORY) && NO_DISK.some((root) => isWithin(real, root))) return `${place} is on no disk`;
  if (isWithin(real, own)) return `${place} is in the data folder ${data}`;
  if (isWithin(own, real)) return `${place} holds the data folder ${data}`;
  return undefined;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path without links, as far as it is there. */
function realPlace(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path);
  return join(realPlace(dirname(path)), basename(path));
}
