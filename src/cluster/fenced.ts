/**
 * Another member leads: it has fenced the lanes. The leader that meets this acknowledges nothing more and ends its
 * process.
 */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}
