/** The WebSocket that the stream runs on: the platform's own one, one that the program gives, or Node 20's. */

/**
 * The part of a WebSocket that the stream uses. Its listeners are only set, so each class may type them its own way.
 */
export interface StreamSocket {
  /** 0 while it opens, 1 while it is open, 2 while it closes, 3 when it is closed. */
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: unknown;
  onmessage: unknown;
  onclose: unknown;
  onerror: unknown;
}

/** The class of a WebSocket, such as that of the package `ws`. */
export type SocketClass = new (url: string) => StreamSocket;

/** Opens a socket. Node before release 22 has no WebSocket of its own, so a small one is loaded for it. */
export async function openSocket(url: string, given: SocketClass | undefined): Promise<StreamSocket> {
  const own = given ?? (globalThis as { readonly WebSocket?: SocketClass }).WebSocket;
  if (own !== undefined) return new own(url);
  const { NodeSocket } = await import('./node-socket.ts');
  return new NodeSocket(url);
}
