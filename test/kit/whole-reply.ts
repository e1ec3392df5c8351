import type { LongReply } from '../../src/gateway/http/long-reply.ts';
import { jsonReply, type Reply } from '../../src/gateway/http/respond.ts';

/** A long reply as a client has it in the end, who has read all of it. */
export function wholeReply({ pieces, room }: LongReply): Reply {
  room.giveBack();
  return jsonReply(Buffer.concat(pieces).toString());
}
