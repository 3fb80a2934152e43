declare module 'wink-pos-tagger' {
  interface TaggedToken {
    readonly value: string;
    /** Of the Penn Treebank. */
    readonly pos: string;
    readonly lemma?: string;
  }
  interface PosTagger {
    tagRawTokens(tokens: readonly string[]): TaggedToken[];
  }
  function posTagger(): PosTagger;
  export = posTagger;
}
