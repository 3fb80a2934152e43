import { createHash } from 'node:crypto';
import type { Document } from './document.js';
import { splitSentences } from './sentence-splitter.js';
import { tokenise } from './tokeniser.js';

/** UTF-16 units; shorter sentences are alike in texts that have nothing to do with each other. */
const LONG = 80;
const HASH_BYTES = 16;

/** Hashes of the long sentences of a document, each once, whether its accents are parts of their letters or marks of their own. */
export function longSentencesOf({
  text,
  sentences,
}: Pick<Document, 'text' | 'sentences'>): Set<string> {
  const found = new Set<string>();
  for (const tokens of splitSentences(text, tokenise(text), sentences)) {
    const sentence = text.slice(tokens[0]?.start, tokens.at(-1)?.end).normalize('NFC');
    if (sentence.length > LONG) found.add(hashOf(sentence));
  }
  return found;
}

function hashOf(sentence: string): string {
  return createHash('sha256').update(sentence).digest().toString('latin1', 0, HASH_BYTES);
}
