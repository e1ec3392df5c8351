/**
 * The situations that a long run must have come through: else it has proved nothing about them. Named as sentences.
 */
export const SITUATIONS = [
  'two users trade',
  'a user trades with the market',
  'an order is filled in part and then cancelled',
  'a stop fires on a move of the market',
  'a stop fires on the trade of a user',
  'a stop fires another stop',
  'a stop fires as it comes',
  'an immediate order ends with units left',
  'a modification keeps the place in the queue',
  'a modification loses the place in the queue',
  'a modification trades at once',
  'a modification is refused',
  'a cancellation is refused',
  'an order is modified, cancelled and traded against in one instant',
  'a trade with oneself is prevented',
  'an order meets a price outside the execution range',
  'a band slides past a resting order',
  'an order is refused for its margin',
  'an order is refused for its price band',
  'an order is refused for its freeze quantity',
  'an order is refused for its lot',
  'an order is refused for its tick',
  'an order is refused for want of holdings',
  'an order is refused in the ban period',
  'the limit of positions begins a ban period',
  'the limit of positions ends a ban period',
  'an order is refused by a kill switch',
  'an order is refused while its instrument is suspended',
  'an order is refused while the market is halted',
  'an intraday order is refused after the square-off',
  'a GTT fires on a move of the market',
  'a GTT fires on the trade of a user',
  'the second leg of a GTT fires',
  'the order of a GTT is refused',
  'a GTT is modified',
  'a GTT is cancelled',
  'a GTT is refused for its trigger',
  'a GTT ends with its contract',
  'a corporate action ends a GTT',
  'a GTT waits over a restart',
  'a position is turned through zero',
  'a closing trade raises the margin',
  'a position is converted',
  'a conversion is refused',
  'shares are sold that were held before',
  'an order waits at the broker for a session',
  'an order that waited goes to the exchange',
  'an order that waited is refused when its hour comes',
  'an order that waits is modified',
  'an order that waits is cancelled',
  'an auction trades between users',
  'an auction trades with the market',
  'an auction finds no price',
  'a closing auction is matched',
  'an order goes from an auction into continuous trading',
  'an order trades after the close',
  'an index halts the market',
  'a session ends an order',
  'a day ends an order',
  'a square-off cancels an order',
  'a square-off closes a position',
  'a square-off is filled in part',
  'losses are warned of',
  'losses are squared off',
  'a future is settled in cash',
  'an option is exercised',
  'an option is assigned',
  'an option lapses',
  'an expiry delivers shares',
  'shares that are owed are bought in',
  'a delivery is not paid for',
  'marking to market pays',
  'marking to market costs',
  'shares that were bought are received',
  'shares that were sold are delivered',
  'a contract note charges an account',
  'shares are pledged',
  'pledged shares are released',
  'a release is refused while the collateral is in use',
  'collateral is valued again',
  'a pay-out is refused',
  'a split makes more shares',
  'a dividend is paid',
  'an announcement is withdrawn',
  'an alert fires as it comes',
  'an alert fires on a move of the market',
  'an alert fires on the trade of a user',
  'an alert is cancelled',
  'an alert expires',
  'a watchlist is saved',
  'a watchlist is deleted',
  'an order is set aside on demand',
  'an order awaits an outcome on demand',
  'the exchange cancels an order on demand',
  'an order is rejected on demand',
  'an order that was pending on demand is taken',
  'an order fills on demand after its cancellation was asked for',
  'a rule of outcomes halts an instrument',
  'a rule of outcomes holds an instrument at its band',
  'a rule of outcomes is used',
  'a rule of outcomes ends a session',
  'rules of outcomes are removed',
  'a session is one too many',
  'a session ends for want of use',
  'sessions end with their day',
  'a user logs out',
  'a one-time code is refused the second time',
  'a placement under a known key is answered as before',
  'a known key is refused for another request',
  'a kill switch cancels orders',
  'a kill switch is lifted',
  'a band is widened',
  'a user registers twice',
  'a group has more than twenty records',
  'a slow disk makes the service refuse commands',
  'the wall clock goes back',
  'a command waits for what the time brings',
  'books meet a second in more than one turn',
  'too many commands wait for the disk',
  'a query is answered after what it saw is durable',
  'a process is killed with records on their way',
  'the power fails with records on their way',
  'the power fails with nothing on its way',
  'the machine dies between the beginning and the end of a commit',
  'the machine dies after the flush and before the reply',
  'records that were not acknowledged are gone after a crash',
  'records that were not acknowledged are there after a crash',
  'a placement is sent again after a crash and was there',
  'a placement is sent again after a crash and was not there',
  'the machine dies during a start',
  'the machine dies twice during a start',
  'the machine dies while a snapshot is written',
  'a snapshot fails and the service goes on',
  'a start uses a snapshot',
  'a start passes over a damaged snapshot',
  'a torn end of the journal is cut off',
  'the disk is full for a moment',
  'the disk is full for good',
  'a write fails',
  'a flush fails',
  'a flipped bit is found at the start',
  'a flipped bit changes nothing',
  'a service starts days after it ended',
  'a service starts while orders gather for an auction',
  'a crash comes at the end of a day',
  'a service is drained and started again',
] as const;

export type Situation = (typeof SITUATIONS)[number];

/** Counts how often a run came through what. */
export class Situations {
  private readonly counts = new Map<Situation, number>(SITUATIONS.map((name) => [name, 0]));

  /** Says that the run has come through a situation. */
  met(name: Situation): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Says so when it is true. */
  metIf(is: boolean, name: Situation): void {
    if (is) this.met(name);
  }

  countOf(name: Situation): number {
    return this.counts.get(name) ?? 0;
  }

  /** The situations that the run never came through. */
  missed(): Situation[] {
    return SITUATIONS.filter((name) => this.countOf(name) === 0);
  }

  add(others: Situations): void {
    for (const name of SITUATIONS) this.counts.set(name, this.countOf(name) + others.countOf(name));
  }

  /** One line each, the count in front. */
  text(): string {
    return SITUATIONS.map((name) => `${String(this.countOf(name)).padStart(9)}  ${name}`).join('\n');
  }
}
