import { describe, expect, it, vi } from 'vitest';
import { createTone } from './sound.ts';
import { settle } from '../testing/fakes.ts';

/** As much of an AudioContext as the tone needs. */
function fakeAudio() {
  const notes: { at: number; hertz: number; end: () => void }[] = [];
  const states: string[] = [];
  const connect = vi.fn<() => void>();
  const ramp = { setValueAtTime: connect, exponentialRampToValueAtTime: connect };
  const context = {
    currentTime: 5,
    destination: {},
    resume: async () => void states.push('running'),
    suspend: async () => void states.push('suspended'),
    createGain: () => ({ connect, gain: ramp }),
    createOscillator() {
      const note = { at: 0, hertz: 0, end() {} };
      notes.push(note);
      return Object.assign(note, {
        connect,
        frequency: {
          set value(hertz: number) {
            note.hertz = hertz;
          },
        },
        start(at: number) {
          note.at = at;
        },
        stop: connect,
        addEventListener(_name: string, end: () => void) {
          note.end = end;
        },
      });
    },
  };
  return { open: vi.fn<() => AudioContext>(() => context as unknown as AudioContext), notes, states };
}

describe('the tone', () => {
  it('is silent before a click or key press', async () => {
    const { open, notes } = fakeAudio();
    await createTone(open).play();
    expect(open).not.toHaveBeenCalled();
    expect(notes).toEqual([]);
  });

  it('is two notes, the second later and higher, and then releases the device', async () => {
    const { open, notes, states } = fakeAudio();
    const tone = createTone(open);
    await tone.allow();
    await tone.allow();
    expect(open).toHaveBeenCalledOnce();
    expect(states).toEqual(['running', 'suspended']);
    await tone.play();
    const [low, high, ...more] = notes;
    expect(more).toEqual([]);
    expect(low!.at).toBe(5);
    expect(high!.at).toBeGreaterThan(low!.at);
    expect(high!.hertz).toBeGreaterThan(low!.hertz);
    low!.end();
    await settle();
    expect(states.at(-1)).toBe('running');
    high!.end();
    await settle();
    expect(states.at(-1)).toBe('suspended');
  });

  it('is silent where the browser has no sound', async () => {
    const tone = createTone(() => {
      throw new Error('no device');
    });
    await tone.allow();
    await expect(tone.play()).resolves.toBeUndefined();
  });
});
