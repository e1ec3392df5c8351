import { tickOf } from '../../../src/base/tick.ts';
import type { IstDay } from '../../../src/base/time.ts';
import { correlation, deviation } from '../samples.ts';
import { idOf, middle, type Subject } from '../subject.ts';
import { optionTrade } from './recognise-minute.ts';
import type { Played } from './trading.ts';

const [OPEN, MINUTES] = [33_300, 360] as const;
const LOOK = 30;
const LEAVE = 59;

/**
 * Strategy E: inside a minute the index is held against the middles of its members; where they are apart, it is taken
 * to go to them.
 */
export function indexBasket(subject: Subject, days: readonly IstDay[]): Played {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const members = subject.facts.facts.constituentsOf(nifty);
  const basket = (tick: ReturnType<typeof tickOf>) => members.map(({ id }) => middle(subject, id, tick));
  const looks: { on: IstDay; start: number; apart: number; rest: number }[] = [];
  for (const on of days) {
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const start = OPEN + minute * 60;
      const [first, now] = [basket(tickOf(on, start)), basket(tickOf(on, start + LOOK))];
      let [moved, weights] = [0, 0];
      members.forEach(({ weight }, i) => {
        moved += weight * ((now[i] as number) / (first[i] as number) - 1);
        weights += weight;
      });
      const index = (second: number) => subject.market.lastPrint(nifty, tickOf(on, start + second)).price;
      const apart = index(LOOK) - index(0) * (1 + moved / weights);
      looks.push({ on, start, apart, rest: index(LEAVE) - index(LOOK + 1) });
    }
  }
  const usual = deviation(looks.map(({ apart }) => apart));
  // The forecast is the whole gap, and at least the cost of a trade: the trades themselves must show its worth.
  const nets = looks.flatMap(({ on, start, apart }) => {
    if (Math.abs(apart) < usual) return [];
    const net = optionTrade(
      subject,
      on,
      [start + LOOK + 1, start + LEAVE],
      -Math.sign(apart) * Number.MAX_SAFE_INTEGER,
    );
    return net === undefined ? [] : [net];
  });
  const tie = correlation(
    looks.map(({ apart }) => -apart),
    looks.map(({ rest }) => rest),
  );
  const note = `E: the gap has sd ${(usual / 100).toFixed(2)} points and correlation ${tie.toFixed(3)} with the rest of the minute`;
  return { trades: { 'E index against basket': nets }, notes: [note] };
}
