import { join } from 'node:path';
import type { Random } from '../../src/base/random.ts';
import { Course } from '../process/kill/course.ts';

/** Lives on one folder; then another is begun, so that a check reads little. */
const LIVES = 20;

/** The trials of a folder follow each other on it. */
export class Courses {
  private readonly folder: string;
  private readonly name: string;
  private course: Course | undefined;

  constructor(folder: string, name: string) {
    this.folder = folder;
    this.name = name;
  }

  async next(random: Random, number: number): Promise<Course> {
    if (this.course === undefined || number % LIVES === 0) {
      this.course = new Course(join(this.folder, `${this.name}-${number}`), random);
      await this.course.open();
    }
    return this.course;
  }
}
