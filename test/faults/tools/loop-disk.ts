import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type FileSystem = 'ext4' | 'xfs';

const MAKE: Readonly<Record<FileSystem, readonly string[]>> = {
  ext4: ['mkfs.ext4', '-q', '-F'],
  xfs: ['mkfs.xfs', '-q', '-f'],
};
/** The smallest that xfs takes. The image has holes: it takes what is written to it. */
export const SMALLEST_DISK = 320 * 1_048_576;

export interface LoopDiskOptions {
  /** The file that the disk is in; beside its folder when absent. */
  readonly image?: string;
  /** `SMALLEST_DISK` when absent. */
  readonly bytes?: number;
}

/** A file system of its own in a file. Needs root. */
export class LoopDisk {
  /** Where it is mounted. */
  readonly folder: string;
  private readonly image: string;

  private constructor(folder: string, image: string) {
    this.folder = folder;
    this.image = image;
  }

  /** Makes one and mounts it at `folder`. */
  static make(folder: string, kind: FileSystem, options: LoopDiskOptions = {}): LoopDisk {
    const { image = `${folder}.img`, bytes = SMALLEST_DISK } = options;
    mkdirSync(dirname(image), { recursive: true });
    writeFileSync(image, '');
    truncateSync(image, bytes);
    const [make = '', ...flags] = MAKE[kind];
    execFileSync(make, [...flags, image]);
    mkdirSync(folder, { recursive: true });
    const disk = new LoopDisk(folder, image);
    disk.mount();
    return disk;
  }

  /** Without power: what was not flushed is gone. No process may have a file of it open any more. */
  powerCycle(): void {
    this.unmount();
    this.mount();
  }

  /** Lets go of it, also while a process that is just being killed still has files of it open. */
  remove(): void {
    execFileSync('umount', ['--lazy', this.folder]);
    rmSync(this.image);
  }

  private mount(): void {
    execFileSync('mount', ['-o', 'loop', this.image, this.folder]);
  }

  private unmount(): void {
    execFileSync('umount', [this.folder]);
  }
}
