import { speedOf } from '../../../core/clock/set-clock.ts';
import type { RunningEngine } from '../../../engine/start-engine.ts';
import type { Metric } from './metrics.ts';

/** The figures of the engine and of the connections that the metrics of a running service show. */
export function figuresOf(
  { engine }: Pick<RunningEngine, 'engine'>,
  instruments: () => Promise<number>,
  connections: () => { readonly open: number; readonly turnedAway: number; readonly letGo: number },
  refused: () => number,
): Metric[] {
  const gauge = (name: string, help: string, value: Metric['value']): Metric => ({
    name: `sauda_${name}`,
    help,
    value,
  });
  const status = () => engine.status();
  return [
    gauge('journal_records_total', 'Durable records.', () => status().durableSeq),
    gauge('journal_groups_total', 'Groups committed by this process.', () => status().groups),
    gauge('journal_last_commit_seconds', 'How long the last commit took.', () => status().lastCommitMs / 1000),
    gauge('journal_longest_commit_seconds', 'How long the longest commit took.', () => status().longestCommitMs / 1000),
    gauge('journal_running_commit_seconds', 'How long the running commit has run.', () => status().stalledMs / 1000),
    gauge('engine_undurable_records', 'Applied records that are not durable yet.', () => {
      const { lastSeq, durableSeq } = status();
      return lastSeq - durableSeq;
    }),
    gauge('engine_waiting_answers', 'Answers that wait for the disk.', () => status().waiting),
    gauge('engine_held_commands', 'Commands that wait for what the time brings.', () => status().held),
    gauge('market_lag_seconds', 'Seconds that books with orders are behind the market.', () => status().marketLag),
    gauge('market_ticks_left_out_total', 'Ticks that books more than a minute behind missed.', () => {
      return status().ticksLeftOut;
    }),
    gauge('market_speed', 'Seconds of the market in a second of the wall; -1 as fast as the machine can.', () => {
      return engine.read((state) => (speedOf(state) === 'max' ? -1 : Number(speedOf(state))));
    }),
    gauge('market_time_given_up_seconds', 'Market time by which its clock is behind its speed.', () => {
      return status().timeLostMs / 1_000;
    }),
    gauge('accounts', 'Registered users.', () => engine.read(({ accounts }) => accounts.length)),
    gauge('sessions', 'Live sessions.', () => engine.read(({ sessions }) => sessions.size)),
    gauge('orders_today', 'Orders of the trading day.', () => engine.read(({ orders }) => orders.size)),
    gauge('switches', 'Switches that are set.', () => engine.read(({ switches }) => switches.size)),
    gauge('connections', 'Open connections of clients.', () => connections().open),
    gauge('connections_turned_away_total', 'Connections beyond the limits.', () => connections().turnedAway),
    gauge('connections_let_go_total', 'Idle connections that ended for new ones.', () => connections().letGo),
    gauge('requests_refused_total', 'Requests beyond what can be answered.', refused),
    gauge('instruments', 'Live instruments.', instruments),
  ];
}
