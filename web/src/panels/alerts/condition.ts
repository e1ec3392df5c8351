/** The condition of an alert in words. */
export function conditionText(condition: 'ABOVE' | 'BELOW'): string {
  return condition === 'ABOVE' ? 'at or above' : 'at or below';
}
