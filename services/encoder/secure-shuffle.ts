import { randomInt } from 'node:crypto';

/**
 * Shuffles in place (Fisher-Yates) with the operating system's CSPRNG. No seed can be set: who could
 * repeat the shuffle could put released sentences back into the order of the notes.
 */
export function secureShuffle<T>(items: { readonly length: number; [i: number]: T }): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
}
