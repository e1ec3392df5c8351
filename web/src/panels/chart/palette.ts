/** The colours of the theme as a canvas takes them. */

export interface Palette {
  readonly ground: string;
  readonly quiet: string;
  readonly line: string;
  readonly gain: string;
  readonly loss: string;
  readonly buy: string;
  readonly sell: string;
  readonly position: string;
  readonly onSide: string;
  readonly font: string;
}

/** The colours as they are for an element now. */
export function paletteOf(element: Element): Palette {
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    ground: colour('surface'),
    quiet: colour('quiet'),
    line: colour('line'),
    gain: colour('gain'),
    loss: colour('loss'),
    buy: colour('buy'),
    sell: colour('sell'),
    position: '#6b7280',
    onSide: colour('on-side'),
    font: getComputedStyle(probe).fontFamily,
  };
  probe.remove();
  return palette;
}

/** Calls `changed` at each change of the theme, until the result is called. */
export function onTheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(changed);
  system.addEventListener('change', changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', changed);
    chosen.disconnect();
  };
}
