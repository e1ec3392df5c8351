/** The keys of an action as people read them. */

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** `$mod+k` as `Ctrl K`, or `Cmd K` on a Mac; `g t` as `G then T`. */
export function keyText(keys: string): string {
  return keys.split(' ').map(pressText).join(' then ');
}

function pressText(press: string): string {
  return press
    .split('+')
    .map((key) => (key === '$mod' ? (isMac ? 'Cmd' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key))
    .join(' ');
}
