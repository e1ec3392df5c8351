import type { Command } from '../../../src/core/command.ts';
import type { Reply } from '../../../src/core/reply.ts';

/** The settings with which an engine in a child process is started. */
export interface ChildSettings {
  readonly folder: string;
  /** The file of the high-water mark, when it lies elsewhere. */
  readonly mark?: string;
  /** The tick from which the market stands a rupee higher. */
  readonly jumpAt?: number;
  /** The wall clock at the child's start; it goes on from there. */
  readonly startsAt?: number;
}

/** The questions of the parent to an engine in a child process. */
export type Request =
  | { readonly type: 'submit'; readonly id: number; readonly command: Command }
  | { readonly type: 'look'; readonly id: number };

/** The messages of the child. */
export type Answer =
  | {
      readonly type: 'ready';
      readonly seq: number;
      readonly hash: string;
      readonly fromSnapshot: number;
      readonly tookMs: number;
      readonly notes: readonly string[];
    }
  | { readonly type: 'reply'; readonly id: number; readonly reply: Reply }
  /** Nothing was done and nothing will be. */
  | { readonly type: 'unavailable'; readonly id: number; readonly why: string }
  /** The dump of the state and the views, as durable. */
  | { readonly type: 'seen'; readonly id: number; readonly dump: string };
