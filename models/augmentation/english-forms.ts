/**
 * A lemma in the form that a tag of the Penn Treebank names, by rule; undefined for the forms that are not made
 * by rule, as comparatives. An irregular word comes out wrong: whoever calls keeps what a vector is known for.
 */
export function englishForm(lemma: string, tag: string): string | undefined {
  switch (tag) {
    case 'NNS':
    case 'VBZ':
      return withS(lemma);
    case 'VBD':
    case 'VBN':
      return lemma.endsWith('e') ? `${lemma}d` : `${withI(lemma)}ed`;
    case 'VBG':
      return /[^aeo]e$/.test(lemma) ? `${lemma.slice(0, -1)}ing` : `${lemma}ing`;
    case 'NN':
    case 'VB':
    case 'VBP':
    case 'JJ':
    case 'RB':
      return lemma;
    default:
      return undefined;
  }
}

function withS(lemma: string): string {
  if (/(s|x|z|ch|sh)$/.test(lemma)) return `${lemma}es`;
  const stem = withI(lemma);
  return stem === lemma ? `${lemma}s` : `${stem}es`;
}

/** `carri` of `carry`. */
function withI(lemma: string): string {
  return /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}i` : lemma;
}
