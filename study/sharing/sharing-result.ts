import type { Guarantee } from '../../models/federation/privacy-accounting.js';
import type { PrivateConfig } from '../../models/federation/private-training.js';
import type { InventorySources } from '../../models/surrogates/create-inventory.js';
import type { LearnedOnce } from '../runs/learned-once.js';
import type { MatrixOptions } from './matrix.js';
import type { WordTold } from './sharing-attack.js';
import type { Copies } from './sharing-way.js';
import type { SiteScores } from './site-scores.js';

export interface SharingOptions extends Omit<MatrixOptions, 'treated' | 'moved'> {
  readonly copies: Copies;
  /** Of training together: how often every place sees each of its notes. */
  readonly rounds: number;
  /** Of private averaging. */
  readonly guarantee: Guarantee;
  readonly privateRate: number;
  /** N of the pairs of words that an attacker tells apart, and of pseudonyms. */
  readonly neighbours: number;
  /** Networks of places of this seed that ways have in common. */
  readonly networks: LearnedOnce;
  /** What may stand for entities of institutions, beside those of the provider's notes. */
  readonly sources?: Pick<InventorySources, 'languages' | 'locales' | 'lists'> | undefined;
}

/** What a run of private averaging spent on the promise of each place, as it was accounted. */
export interface SpentPrivacy extends Guarantee, Omit<PrivateConfig, 'learningRate'> {
  readonly epochs: number;
}

export interface SharingResult {
  readonly row: string;
  readonly seed: number;
  /** What leaves a place, in words. */
  readonly leaves: string;
  /** Of all places together; of text and releases the provider's are public and not counted. */
  readonly bytes: number;
  /** How often a place has to be online. */
  readonly rounds: number;
  /** What is promised, whatever an attacker knows. */
  readonly guarantee: string;
  /** Of private averaging alone; results of earlier versions lack it. */
  readonly privacy?: SpentPrivacy;
  /**
   * How often a PHI word is told from a neighbour by what leaves; null where nothing does, no word can move, or, of training
   * together, no attack is made.
   */
  readonly told: WordTold | null;
  /** Of learning and measuring, without the attacks. */
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** By name, of held-out documents. */
  readonly sites: Readonly<Record<string, SiteScores>>;
}

/** What was shared and learned, and an attack on what left, still to be made. */
export interface Shared
  extends Pick<SharingResult, 'leaves' | 'bytes' | 'rounds' | 'guarantee' | 'privacy' | 'sites'> {
  attack(): Promise<WordTold | null>;
}

/** As `Shared`, with what networks took that were learned before. */
export interface LearnedWay extends Shared {
  readonly earlier?: { readonly wallSeconds: number; readonly cpuSeconds: number };
}

/** Of a way in which nothing is shared. */
export const NOTHING_LEAVES: Omit<Shared, 'sites'> = {
  ...{ leaves: 'nothing', bytes: 0, rounds: 0, guarantee: 'all' },
  attack: async () => null,
};

/** Where nothing is promised. */
export const NOTHING = 'none';

/** Of training together. */
export const WEIGHTS_LEAVE = 'changes of weights';
