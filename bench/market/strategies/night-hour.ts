import { tickOf } from '../../../src/base/tick.ts';
import type { IstDay } from '../../../src/base/time.ts';
import { correlation } from '../samples.ts';
import { idOf, type Subject } from '../subject.ts';
import { optionTrade } from './recognise-minute.ts';
import { Recogniser } from './recogniser.ts';
import type { Played } from './trading.ts';

const SEEN_MINUTES = [10, 20, 30] as const;
const HOURS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21, 22, 23] as const;
const LAST_MINUTE = 59;

function hourWalks(subject: Subject, on: IstDay): { hour: number; walk: number[] }[] {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  return HOURS.map((hour) => ({
    hour,
    walk: Array.from(
      { length: 60 },
      (_, m) => subject.market.lastPrint(nifty, tickOf(on, hour * 3_600 + m * 60)).price,
    ),
  }));
}

/** Strategy A'': the hours of the night in `always` hours, recognised by their first 10, 20 or 30 minutes. */
export function nightHour(subject: Subject, recorded: readonly IstDay[], played: readonly IstDay[]): Played {
  const library = recorded.flatMap((on) => hourWalks(subject, on).map(({ walk }) => walk));
  const trades: Record<string, number[]> = {};
  const notes: string[] = [];
  for (const seen of SEEN_MINUTES) {
    const recogniser = new Recogniser(library, seen);
    const nets: number[] = [];
    const [foretold, came]: [number[], number[]] = [[], []];
    for (const on of played) {
      for (const { hour, walk } of hourWalks(subject, on)) {
        const move = recogniser.foretell(walk.slice(0, seen + 1), seen, LAST_MINUTE);
        foretold.push(move);
        came.push((walk[LAST_MINUTE] as number) - (walk[seen] as number));
        const start = hour * 3_600;
        const net = optionTrade(subject, on, [start + seen * 60 + 1, start + LAST_MINUTE * 60], move);
        if (net !== undefined) nets.push(net);
      }
    }
    trades[`A'' night, ${seen} min`] = nets;
    notes.push(`A'': correlation after ${seen} minutes ${correlation(foretold, came).toFixed(3)}`);
  }
  return { trades, notes };
}
