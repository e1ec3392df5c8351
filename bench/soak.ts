import { parseArgs } from 'node:util';
import { must } from '../src/base/assert.ts';
import { Generator } from './load/generator-process.ts';
import { Inspector } from './load/inspector.ts';
import { LoadedService } from './load/service.ts';
import { type Sample, verdictOf } from './load/soak-verdict.ts';

/*
 * `npm run soak -- --minutes N --rate R`: constant load, day after day: each of the service's days is `--day` minutes
 * long, so that what belongs to a day is made and dropped many times. Once a minute the load rests for the moment that
 * a forced collection takes.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '200' },
    users: { type: 'string', default: '50' },
    day: { type: 'string', default: '3' },
  },
});
const LINES = 256;
const MINUTE_SECONDS = 60;
/** The service notices the next day with its next second. */
const DAY_BREAK_MS = 3_000;

const service = await LoadedService.start();
const inspector = await Inspector.open(service.inspector);
const generator = new Generator();
const samples: Sample[] = [];
try {
  const users = await service.register(Number(values.users));
  const prepare = () => generator.prepare({ port: service.port, users, lines: LINES });
  await prepare();
  console.log(
    `service ${service.pid}, generator ${generator.pid}, ${values.rate} requests a second, ${values.minutes} minutes`,
  );
  console.log(
    'minute day    ok   bad not sent  shed   p50    p99    max   heap MB  RSS MB  fds  orders  records  stored MB  lost',
  );
  for (let minute = 1; minute <= Number(values.minutes); minute += 1) {
    const { stages, faults } = await generator.run({
      stages: [{ rate: Number(values.rate), seconds: MINUTE_SECONDS }],
    });
    const report = must(stages[0], 'a run of one stage has its report');
    const verified = await generator.verify();
    const day = Math.ceil(minute / Number(values.day));
    const sample: Sample = {
      minute,
      day,
      isDayEnd: minute % Number(values.day) === 0,
      heap: await inspector.heapBytes(),
      resident: service.residentBytes(),
      descriptors: service.descriptors() - (await service.metric('sauda_connections')),
      orders: await service.metric('sauda_orders_today'),
      records: await service.metric('sauda_journal_records_total'),
      stored: service.storedBytes(),
      report,
      verified,
    };
    samples.push(sample);
    console.log(lineOf(sample));
    for (const fault of [...faults, ...verified.examples]) console.log(`       ${fault}`);
    if (!sample.isDayEnd) continue;
    await inspector.passDays(1);
    await new Promise((resolve) => setTimeout(resolve, DAY_BREAK_MS));
    await prepare();
    // Said after each day, so that a soak that is cut short has said something.
    const verdict = verdictOf(samples);
    for (const line of verdict.lines) console.log(`  ${line}`);
    process.exitCode = verdict.isGood ? 0 : 1;
  }
} finally {
  generator.stop();
  inspector.close();
  service.stop();
}

function lineOf({
  minute,
  day,
  heap,
  resident,
  descriptors,
  orders,
  records,
  stored,
  report,
  verified,
}: Sample): string {
  const { bad, notSent, shed, answered } = report;
  const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  const ms = (time: number): string => time.toFixed(1);
  const lost = verified.missing + verified.unwanted + verified.wrong;
  return [
    String(minute).padStart(6),
    String(day).padStart(3),
    String(answered.count).padStart(6),
    String(bad).padStart(4),
    String(notSent).padStart(7),
    String(shed.count).padStart(5),
    ms(answered.p50).padStart(5),
    ms(answered.p99).padStart(6),
    ms(answered.max).padStart(6),
    mb(heap).padStart(9),
    mb(resident).padStart(7),
    String(descriptors).padStart(4),
    String(orders).padStart(7),
    String(records).padStart(8),
    mb(stored).padStart(9),
    String(lost).padStart(6),
  ].join(' ');
}
