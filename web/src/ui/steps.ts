/** The steps of an arrow key in a field for a number: Up and Down are one, with Shift ten; 0 for every other key. */
export function stepsOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): number {
  const way = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
  return shiftKey ? way * 10 : way;
}
