/** An operator has ended the cluster: one machine goes on alone, and this member never leads or follows again. */
export class ClusterOver extends Error {
  override readonly name = 'ClusterOver';

  constructor() {
    super('the cluster was ended by sauda cluster end');
  }
}
