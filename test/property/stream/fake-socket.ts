import type { TextListener } from '../../../src/gateway/sockets/inbound.ts';
import type { OpenSocket } from '../../../src/gateway/sockets/open-socket.ts';
import type { TextFrame } from '../../../src/gateway/sockets/text-frame.ts';

/** A socket whose client reads when the test says so. */
export class FakeSocket implements OpenSocket {
  readonly address = '127.0.0.1';
  closedWith: number | undefined;
  private readonly unread: string[] = [];
  private bytes = 0;
  private textListener: TextListener = () => undefined;
  private drainListener: () => void = () => undefined;
  private readonly closeListeners: (() => void)[] = [];

  get waiting(): number {
    return this.bytes;
  }

  send(text: string): void {
    if (this.closedWith !== undefined) return;
    this.unread.push(text);
    this.bytes += text.length;
  }

  sendFrame({ bytes }: TextFrame): void {
    this.send(bytes.toString());
  }

  sendWithOthers(frame: TextFrame): void {
    this.sendFrame(frame);
  }

  close(code: number): void {
    if (this.closedWith !== undefined) return;
    this.closedWith = code;
    for (const listener of this.closeListeners) listener();
  }

  drop(): void {
    this.close(1006);
  }

  belongTo(): boolean {
    return true;
  }

  onText(listener: TextListener): void {
    this.textListener = listener;
  }

  onDrain(listener: () => void): void {
    this.drainListener = listener;
  }

  onClose(listener: () => void): void {
    this.closeListeners.push(listener);
  }

  /** The client sends a request. */
  say(request: object): void {
    const work = this.textListener(JSON.stringify(request));
    while (work?.next().done === false);
  }

  /** The client reads at most this number of texts. */
  read(most: number): string[] {
    const texts = this.unread.splice(0, most);
    for (const text of texts) this.bytes -= text.length;
    if (this.bytes === 0 && texts.length > 0) this.drainListener();
    return texts;
  }
}
