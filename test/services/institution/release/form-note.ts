import type { Document } from '../../../../models/text/document.js';
import { WORDS } from '../notes.js';

/** A line of a form that all notes have, with a labelled name, and a sentence that no other `day` has. */
export function formNote(name: string, day: number): Document {
  const form = `Name ${name}.`;
  const words = [0, 1, 2].map((t) => WORDS[(day + t * t) % WORDS.length]);
  const text = `${form}\n\nSeen ${words.join(' ')}.`;
  return { id: `${name}-${day}`, text, spans: [{ type: 'PHI', start: 5, end: 5 + name.length }] };
}
