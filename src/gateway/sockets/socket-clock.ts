/** The time of sockets: monotonic, and never journaled. Tests give their own. */

export interface SocketClock {
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** Does work once, after this number of milliseconds. Returns the way to call it off. */
  after(ms: number, work: () => void): () => void;
  /** Does work again and again. Returns the way to stop it. */
  every(ms: number, work: () => void): () => void;
  /** Does work in a later turn of the event loop. */
  laterTurn(work: () => void): void;
}

/** The clock of the machine. Its timers keep no process alive. */
export const MACHINE_CLOCK: SocketClock = {
  elapsed: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
  laterTurn: (work) => {
    setImmediate(work);
  },
};
