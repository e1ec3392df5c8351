import { MOST_USES, type ScenarioEffect, type ScenarioFault, termsOf } from './scenario-effect.ts';

/** The words for the part of a rule that its effect cannot have, or lacks. */
export function faultText(effect: ScenarioEffect, fault: ScenarioFault): string {
  const { place, value, operation } = termsOf(effect);
  switch (fault) {
    case 'value':
      if (value === undefined) return `${effect} takes no value`;
      return `${effect} needs a value from 1 to ${value.most}, in ${value.unit === 'ms' ? 'milliseconds' : 'seconds'}`;
    case 'count':
      if (place === 'market') return `${effect} begins at once and lasts for its seconds: it is used once`;
      return `the count of ${effect} must be 1 to ${MOST_USES}`;
    case 'operation':
      if (operation !== undefined) return `${effect} concerns the operation ${operation} alone`;
      return `${effect} does not concern requests: it takes no operation`;
    case 'instrument':
      return place === 'market'
        ? `${effect} needs an instrument`
        : `${effect} concerns sockets: it takes no instrument`;
    case 'user':
      return place === 'market' ? `${effect} concerns everybody: it takes no user` : 'the user is unknown';
  }
}
