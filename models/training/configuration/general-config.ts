/**
 * What f learns besides the labels, so that a release holds more of a sentence than tells the
 * provider's own PHI from the rest. From the release r_t of a token, noise on:
 *
 * - `own-word`: the public vector of its word;
 * - `neighbours`: the public vectors of the words before and after it;
 * - `masked-word`: the public vector of its word, which was hidden from f (Devlin et al. 2019, section 3.1);
 * - `clusters`: in which group of like words its word is.
 */
export const GENERAL_OBJECTIVES = [
  'none',
  'own-word',
  'neighbours',
  'masked-word',
  'clusters',
] as const;
export type GeneralObjective = (typeof GENERAL_OBJECTIVES)[number];

export interface GeneralConfig {
  readonly objective: GeneralObjective;
  /** μ, the weight of l_general beside l_deid. */
  readonly weight: number;
  /** Of the hidden layer of a head; 0: none. */
  readonly units: number;
  /** Of `masked-word`: share of the words that can be targets which are hidden. */
  readonly maskedShare: number;
  /** K of `clusters`. */
  readonly clusters: number;
}

export const GENERAL_DEFAULTS: GeneralConfig = {
  objective: 'none',
  weight: 0.1,
  units: 0,
  maskedShare: 0.15,
  clusters: 100,
};
