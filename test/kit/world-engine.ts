import type { Command } from '../../src/core/command.ts';
import type { Reply } from '../../src/core/reply.ts';
import type { EnginePort } from '../../src/engine/port.ts';
import { emptyViews, type Views } from '../../src/views/views.ts';
import type { World } from './money/world.ts';

interface Differing {
  /** How a command is decided; the world's own way when absent. */
  readonly submit?: (command: Command) => Reply;
  readonly views?: Views;
}

/** The engine's port over the core of a test, without a journal: the effect of a command is durable at once. */
export function worldEngine(world: World, { submit, views = emptyViews() }: Differing = {}): EnginePort {
  return {
    submit: async ({ command: asked, made }) => {
      const command = made === undefined ? asked : made(world.state, world.portsNow(), world.at);
      if (command === undefined) return { type: 'Done', at: world.at };
      return submit === undefined ? world.submit(command).reply : submit(command);
    },
    read: (query) => query(world.state, views, world.portsNow()),
    now: () => world.at,
    glance: (query) => query(world.state, world.portsNow(), views),
  };
}
