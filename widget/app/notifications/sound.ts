/** Two notes, in hertz, one after the other. */
const notes = [660, 880];
const noteSec = 0.14;
const fadeSec = 0.35;
const volume = 0.06;

/** A short tone, generated without a file. Silent where the browser does not allow sound. */
export function createTone(open: () => AudioContext) {
  let context: AudioContext | null = null;

  return {
    /** To be called on a click or key press: browsers allow sound only after one. */
    async allow() {
      if (context) return;
      try {
        context = open();
        await context.resume();
        await context.suspend();
      } catch {
        // No audio device, or not allowed.
      }
    },
    async play() {
      if (!context) return;
      await context.resume();
      const start = context.currentTime;
      const gain = context.createGain();
      gain.connect(context.destination);
      for (const [index, hertz] of notes.entries()) {
        const at = start + index * noteSec;
        const oscillator = context.createOscillator();
        oscillator.frequency.value = hertz;
        oscillator.connect(gain);
        gain.gain.setValueAtTime(volume, at);
        gain.gain.exponentialRampToValueAtTime(volume / 100, at + fadeSec);
        oscillator.start(at);
        oscillator.stop(at + fadeSec);
        if (index === notes.length - 1) oscillator.addEventListener('ended', () => void context!.suspend());
      }
    },
  };
}
