import type { Command } from '../../src/core/command.ts';
import type { Reply } from '../../src/core/reply.ts';

/** What the parent asks of an engine in a child process. */
export type Request =
  | { readonly type: 'submit'; readonly id: number; readonly command: Command }
  | { readonly type: 'look'; readonly id: number };

/** What the child says. */
export type Answer =
  | {
      readonly type: 'ready';
      readonly seq: number;
      readonly hash: string;
      readonly fromSnapshot: number;
      readonly tookMs: number;
    }
  | { readonly type: 'reply'; readonly id: number; readonly reply: Reply }
  /** The dump of the state and the views, as durable. */
  | { readonly type: 'seen'; readonly id: number; readonly dump: string };
