/** Counts how often a run came through what. Each situation is named as a sentence. */
export class Tally<Name extends string> {
  private readonly names: readonly Name[];
  /** How often the run came through each; those that never came are not in it. */
  readonly counts = new Map<Name, number>();

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

  /** Adds what another run came through, also one that was played in another thread. */
  add({ counts }: Pick<Tally<Name>, 'counts'>): void {
    for (const [name, count] of counts) this.counts.set(name, this.countOf(name) + count);
  }

  /** One line each, the count in front. */
  text(): string {
    return this.names.map((name) => `${String(this.countOf(name)).padStart(9)}  ${name}`).join('\n');
  }
}
