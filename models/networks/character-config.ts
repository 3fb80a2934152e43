/** How the characters of a word become a vector. */
export const CHARACTER_ENCODERS = ['none', 'cnn', 'bilstm'] as const;
export type CharacterEncoder = (typeof CHARACTER_ENCODERS)[number];

export interface CharacterConfig {
  /** A convolution and its maximum, the last states of a BiLSTM, or no input at all where it is left out. */
  readonly characters?: CharacterEncoder;
  /** Numbers a character. */
  readonly characterDimension?: number;
  /** LSTM units a direction, or half the filters: C is twice that. */
  readonly characterUnits?: number;
}

/** NeuroNER's, Dernoncourt et al. 2017; Ma and Hovy 2016 have 30 and 15. */
export const CHARACTER_DEFAULTS = { characterDimension: 25, characterUnits: 25 } as const;

export function readsCharacters({ characters = 'none' }: CharacterConfig): boolean {
  return characters !== 'none';
}

/** C, numbers a word. */
export function characterOutputs(config: CharacterConfig): number {
  const { characters = 'none', characterUnits = CHARACTER_DEFAULTS.characterUnits } = config;
  return characters === 'none' ? 0 : 2 * characterUnits;
}
