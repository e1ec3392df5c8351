/** The theme: that of the machine, or the one that the user chose here. */
import { effect, signal } from '@preact/signals';
import { keep, kept } from '../store/kept.ts';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const asKept = kept('theme');

export const theme = signal<Theme>(THEMES.find((name) => name === asKept) ?? 'auto');

/** Puts the theme on the page, now and when it changes. */
export function followTheme(): void {
  effect(() => {
    keep('theme', theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
}

/** True when the page is dark at this moment. */
export function isDark(): boolean {
  return theme.peek() === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.peek() === 'dark';
}

/** From dark to light or back. */
export function turnTheme(): void {
  theme.value = isDark() ? 'light' : 'dark';
}
