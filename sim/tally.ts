/** Counts how often a run came through what. Each situation is named as a sentence. */
export class Tally<Name extends string> {
  private readonly names: readonly Name[];
  private readonly counts = new Map<Name, number>();

  constructor(names: readonly Name[]) {
    this.names = names;
  }

  /** Says that the run has come through a situation. */
  met(name: Name): void {
    this.counts.set(name, this.countOf(name) + 1);
  }

  /** Says so when it is true. */
  metIf(is: boolean, name: Name): void {
    if (is) this.met(name);
  }

  countOf(name: Name): number {
    return this.counts.get(name) ?? 0;
  }

  /** The situations that the run never came through. */
  missed(): Name[] {
    return this.names.filter((name) => this.countOf(name) === 0);
  }

  add(others: Tally<Name>): void {
    for (const name of this.names) this.counts.set(name, this.countOf(name) + others.countOf(name));
  }

  /** One line each, the count in front. */
  text(): string {
    return this.names.map((name) => `${String(this.countOf(name)).padStart(9)}  ${name}`).join('\n');
  }
}
