import type { OpenSocket } from './open-socket.ts';

/**
 * Nothing more is handed to a socket while more than this waits for its client, in bytes. It is above what Node lets
 * wait without a word, so the socket reports when its client has taken all of it.
 */
const ROOM_BYTES = 128 * 1024;

export function hasRoom({ waiting }: OpenSocket): boolean {
  return waiting <= ROOM_BYTES;
}
