/** The health of the service: readiness, the clock and phases of the market, load, journal, files and connections. */
import type { ComponentChildren } from 'preact';
import type { StatusReport } from '../../../src/operator/operations/service/status-operations.ts';
import { grouped } from '../text/figures.ts';
import { bytes, duration } from './health-words.ts';
import { type Pair, Pairs } from './pairs.tsx';
import { moment } from './trail-words.ts';

export function Health({ status }: { readonly status: StatusReport | undefined }) {
  if (status === undefined) return <p class="empty">Reading</p>;
  return (
    <div class="cards">
      <Clock status={status} />
      <Load status={status} />
      <Journal status={status} />
      <Files status={status} />
      <Wire status={status} />
    </div>
  );
}

interface Shown {
  readonly status: StatusReport;
}

function Card({
  title,
  pairs,
  children,
}: {
  readonly title: string;
  readonly pairs: readonly Pair[];
  readonly children?: ComponentChildren;
}) {
  return (
    <section class="part card" aria-label={title}>
      <h2>{title}</h2>
      <Pairs of={pairs} />
      {children}
    </section>
  );
}

const count = (value: number): string => grouped(String(value));

function Clock({ status: { clock, facts } }: Shown) {
  const pairs: readonly Pair[] = [
    ['Market time', clock.market],
    ['Wall time', clock.wall],
    ['Market ahead of the wall', `${clock.apartSeconds} s`],
    ['Trading day', clock.tradingDay],
    ['Last step of the day end', clock.dayEnd === '' ? 'none: the day trades' : clock.dayEnd],
    ...clock.phases.map(
      ({ exchange, phase, next }) =>
        [exchange, next === undefined ? phase : `${phase}; ${next.phase} at ${next.at}`] as const,
    ),
    ['Market', `${facts.market}, seed ${facts.seed}, hours ${facts.hours}`],
    ['Instruments', count(facts.instruments)],
  ];
  return <Card title="Market clock" pairs={pairs} />;
}

function Load({ status: { load, uptimeSeconds, missing } }: Shown) {
  const { loopDelay, memory } = load;
  const pairs: readonly Pair[] = [
    [
      'Readiness',
      missing.length === 0 ? <span class="good">● ready</span> : <span class="bad">▲ {missing.join('; ')}</span>,
    ],
    ['Running for', duration(uptimeSeconds)],
    ['Event loop late', `${loopDelay.middle} ms`],
    ['Worst hundredth', `${loopDelay.p99} ms`],
    ['Longest in 10 s', `${loopDelay.longest} ms`],
    ['Market lag', `${load.marketLagSeconds} s`],
    ['Commands held', count(load.heldCommands)],
    ['Answers that wait', count(load.waitingAnswers)],
    ['Requests refused', count(load.requestsRefused)],
    ['Memory', bytes(memory.resident)],
    ['Heap', `${bytes(memory.heapUsed)} of ${bytes(memory.heapTotal)}`],
  ];
  return <Card title="Health" pairs={pairs} />;
}

function Journal({ status: { journal } }: Shown) {
  const pairs: readonly Pair[] = [
    ['Last record', count(journal.lastSeq)],
    ['Durable', count(journal.durableSeq)],
    ['Chain hash', <code>{journal.hash.slice(0, 16)}</code>],
    ['Groups of this process', count(journal.groups)],
    ['Last commit', `${journal.lastCommitMs.toFixed(1)} ms`],
    ['Longest commit', `${journal.longestCommitMs.toFixed(1)} ms`],
    ['Running commit', `${journal.runningCommitMs.toFixed(1)} ms`],
  ];
  return <Card title="Journal" pairs={pairs} />;
}

function Files({ status: { journal, facts } }: Shown) {
  const { segments, snapshots, trail } = journal.files;
  const pairs: readonly Pair[] = [
    ['Data folder', facts.data],
    ['Segments', `files ${count(segments.count)}, ${bytes(segments.bytes)}`],
    ['Snapshots', `files ${count(snapshots.count)}, ${bytes(snapshots.bytes)}`],
    ['Audit trail', `files ${count(trail.count)}, ${bytes(trail.bytes)}`],
  ];
  const newest = [...snapshots.newest.slice(0, 2), ...segments.newest.slice(0, 3), ...trail.newest.slice(0, 2)];
  return (
    <Card title="Files" pairs={pairs}>
      <ul class="files">
        {newest.map(({ name, bytes: size, changedAt }) => (
          <li key={name}>
            <span>{name}</span>
            <span class="figure">{bytes(size)}</span>
            <span class="quiet">{moment(changedAt)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Wire({ status: { wire, books } }: Shown) {
  const pairs: readonly Pair[] = [
    ['Connections', count(wire.connections)],
    ['Turned away', count(wire.turnedAway)],
    ['Sockets', count(wire.sockets.open)],
    ['Subscriptions', count(wire.sockets.subscriptions)],
    ['Bytes that wait for clients', bytes(wire.sockets.waitingBytes)],
    ['Live sessions', count(wire.sessions)],
    ['Accounts', count(books.accounts)],
    ['Orders today', count(books.ordersToday)],
    ['Active GTTs', count(books.gtts)],
    ['Switches that are on', count(books.switches)],
  ];
  return <Card title="Connections and books" pairs={pairs} />;
}
