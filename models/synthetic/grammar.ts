import type { Piece } from './note.js';

/**
 * A sentence skeleton. `{slot}` is filled from the scene, `{Slot}` likewise with a capital, `[a|b]`
 * is one of its alternatives (nested at will), `a(n)` agrees with what follows it.
 */
export interface Template {
  readonly source: string;
  readonly nodes: readonly Node[];
}

type Node = string | { readonly slot: string } | { readonly alternatives: readonly Node[][] };

export type FillSlot = (slot: string) => readonly Piece[];
export type Pick = <T>(items: readonly T[]) => T;

/** The templates of one kind of sentence. */
export function pool(...sources: string[]): Template[] {
  return sources.map((source) => ({ source, nodes: new Parser(source).sequence() }));
}

class Parser {
  #at = 0;

  constructor(readonly source: string) {}

  /** Outside of brackets a bar stands for itself. */
  sequence(literals = /^[^{[\]]*/): Node[] {
    const nodes: Node[] = [];
    for (;;) {
      const literal = literals.exec(this.source.slice(this.#at))?.[0] ?? '';
      this.#at += literal.length;
      if (literal) nodes.push(literal);
      const sign = this.source[this.#at];
      if (sign === '{') nodes.push(this.#slot());
      else if (sign === '[') nodes.push(this.#alternatives());
      else return nodes;
    }
  }

  #slot(): Node {
    const end = this.source.indexOf('}', this.#at);
    const slot = this.source.slice(this.#at + 1, end);
    this.#at = end + 1;
    return { slot };
  }

  #alternatives(): Node {
    const alternatives: Node[][] = [];
    do {
      this.#at++;
      alternatives.push(this.sequence(/^[^{[\]|]*/));
    } while (this.source[this.#at] === '|');
    this.#at++;
    return { alternatives };
  }
}

/** One random sentence of a template. */
export function expand(template: Template, pick: Pick, fill: FillSlot): Piece[] {
  return agree(expandNodes(template.nodes, pick, fill));
}

function expandNodes(nodes: readonly Node[], pick: Pick, fill: FillSlot): Piece[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [{ text: node }];
    if ('alternatives' in node) return expandNodes(pick(node.alternatives), pick, fill);
    const lower = node.slot[0]?.toLowerCase() + node.slot.slice(1);
    const pieces = fill(lower);
    return lower === node.slot ? pieces : capitalise(pieces);
  });
}

function capitalise(pieces: readonly Piece[]): Piece[] {
  const [first, ...rest] = pieces;
  if (first === undefined) return [];
  return [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest];
}

const VOWEL_SOUND = /^(?:[aeio]|u(?!ni|se|ri)|8|1[18]\b)/i;

function agree(pieces: readonly Piece[]): Piece[] {
  const joined = pieces.filter(({ text }) => text !== '');
  return joined.map((piece, index) => ({
    ...piece,
    text: piece.text.replace(/\b(a|A)\(n\) (\w*)/g, (_, article: string, next: string) => {
      const word = next || (joined[index + 1]?.text ?? '');
      return `${article}${VOWEL_SOUND.test(word) ? 'n' : ''} ${next}`;
    }),
  }));
}

/** How many different skeletons a template has. */
export function countSkeletons({ nodes }: { nodes: readonly Node[] }): number {
  return nodes.reduce(
    (product, node) =>
      typeof node === 'object' && 'alternatives' in node
        ? product * node.alternatives.reduce((sum, nodes) => sum + countSkeletons({ nodes }), 0)
        : product,
    1,
  );
}

/** The names of the slots that a template may use. */
export function slotsOf({ nodes }: { nodes: readonly Node[] }): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if ('slot' in node) return [node.slot];
    return node.alternatives.flatMap((nodes) => slotsOf({ nodes }));
  });
}
