/** A short sound, made by the browser itself. It can be switched off, and this browser keeps the choice. */
import { signal } from '@preact/signals';
import { keep, kept } from '../store/kept.ts';

const TONES_HZ = [880, 1_175] as const;
const TONE_S = 0.12;
const LOUDNESS = 0.12;

export const isSoundOn = signal(kept('sound') !== 'off');
let audio: AudioContext | undefined;

export function turnSound(isOn: boolean): void {
  isSoundOn.value = isOn;
  keep('sound', isOn ? 'on' : 'off');
}

/** Sounds two tones. Nothing is heard before the user has pressed anything on the page: browsers forbid it. */
export function beep(): void {
  if (!isSoundOn.peek()) return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const [index, hertz] of TONES_HZ.entries()) sound(audio, hertz, audio.currentTime + index * TONE_S);
}

function sound(context: AudioContext, hertz: number, at: number): void {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(LOUDNESS, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + TONE_S);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + TONE_S);
}
