import { systemFault } from '../../../base/system-fault.ts';
import { CommandFailed, EXIT_FAILED } from '../../../os/command-failed.ts';
import { expectFile } from '../../../os/durable-file.ts';

/** Published symbol and SPAN files have up to 60 MB. */
const MOST_IMPORTED_BYTES = 256 * 1024 * 1024;

/** Refuses, with the reason, a path that is not a file of at most `most` bytes or cannot be read to its end. */
export function expectGivenFile(path: string, most = MOST_IMPORTED_BYTES): void {
  if (path.trim() === '') throw new CommandFailed('the path of the file is blank', EXIT_FAILED);
  try {
    expectFile(path, most);
  } catch (error) {
    const fault = systemFault(error);
    if (fault === undefined) throw error;
    throw new CommandFailed(`${path} cannot be imported: ${fault}`, EXIT_FAILED);
  }
}
