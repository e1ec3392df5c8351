/** Speaks to the inspector of a process that was started with `--inspect`. */
export class Inspector {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (message: Answer) => void>();
  private count = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as Answer;
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    };
  }

  static open(address: string): Promise<Inspector> {
    const socket = new WebSocket(address);
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve(new Inspector(socket));
      socket.onerror = () => reject(new Error(`nothing answers at ${address}`));
    });
  }

  /** Bytes of the heap in use after a forced collection. */
  async heapBytes(): Promise<number> {
    await this.ask('HeapProfiler.collectGarbage');
    await this.ask('HeapProfiler.collectGarbage');
    return Number(await this.evaluate('process.memoryUsage().heapUsed'));
  }

  /** Puts the process's clock forward, at once and for good. */
  async passDays(days: number): Promise<void> {
    await this.evaluate(`{ const before = Date.now; Date.now = () => before() + ${days} * 86_400_000; 0 }`);
  }

  close(): void {
    this.socket.close();
  }

  private async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.ask('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result?.value;
  }

  private ask(method: string, params: object = {}): Promise<NonNullable<Answer['result']>> {
    this.count += 1;
    const id = this.count;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) => {
        if (result === undefined) reject(new Error(`${method}: ${JSON.stringify(error)}`));
        else resolve(result);
      });
    });
  }
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: { readonly value?: unknown }; readonly exceptionDetails?: unknown };
  readonly error?: unknown;
}
