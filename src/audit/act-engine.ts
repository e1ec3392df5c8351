import type { EnginePort } from '../engine/port.ts';
import type { Trail } from './trail.ts';

/** The engine as operators' desks use it: each command is noted as an act. */
export function actEngine(engine: EnginePort, trail: Trail): EnginePort {
  return {
    submit: (command) => {
      trail.beginAct(command.type);
      try {
        return engine.submit(command);
      } finally {
        trail.end();
      }
    },
    now: () => engine.now(),
    read: (query) => engine.read(query),
    glance: (query) => engine.glance(query),
  };
}
