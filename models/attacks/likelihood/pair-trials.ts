import type { Candidates } from '../../embeddings/candidates.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import { pairSource } from '../../training/data/pairs.js';
import type { AuditTarget } from '../target.js';
import { TraitReader, type Traits } from '../traits.js';

/** One pair on which every attack and the bound are measured. */
export interface PairTrial {
  /** x. */
  readonly example: TextExample;
  /** The PHI token that moves. */
  readonly position: number;
  /** What it may become, itself first; the attacker knows them. */
  readonly options: Int32Array;
  /** Which of them it became, drawn uniformly. */
  readonly drawn: number;
  /** x', the sentence with that one token moved. */
  readonly twin: Int32Array;
  /** Whether the release that the attacker judges is of the sentence that it holds. */
  readonly real: boolean;
  /**
   * The release of x that is about to be shared, [T·d]. The attacker then has it and either x or x', and
   * must tell which. Where there is none, the attacker has x, and a fresh release of x or x'.
   */
  readonly released?: Float32Array | undefined;
  readonly traits: Traits;
}

/** The option that the attacker holds. */
export function heldOption({ released, real, drawn }: PairTrial): number {
  return released && !real ? drawn : 0;
}

/** The option whose release it judges. */
export function judgedOption({ released, real, drawn }: PairTrial): number {
  return released || real ? 0 : drawn;
}

/**
 * The pairs of an audit, half of them real: `rounds` of each sentence of `examples` that has a movable
 * PHI token. One round follows the other, so that an attack that runs out of time has seen as many
 * different sentences as possible. Digits have more than N candidates: each trial draws N of them.
 */
export function pairTrials(
  target: AuditTarget,
  examples: readonly TextExample[],
  rounds: number,
  random: Random,
): PairTrial[] {
  const source = pairSource(examples, target.candidates);
  const traits = new TraitReader(target);
  const trials: PairTrial[] = [];
  for (let round = 0; round < rounds; round++) {
    const sentences = [...source.positions];
    random.shuffle(sentences);
    for (const [example, positions] of sentences) {
      const position = positions[random.integer(positions.length)];
      const options = someCandidates(target.candidates, example.ids[position], random);
      const drawn = random.integer(options.length);
      trials.push({
        example,
        position,
        options,
        drawn,
        twin: withWord(example.ids, position, options[drawn]),
        real: trials.length % 2 === 0,
        released: target.released?.get(example),
        traits: traits.of(example, position),
      });
    }
  }
  return trials;
}

/** The sentence with another word at `position`. */
export function withWord(ids: Int32Array, position: number, id: number): Int32Array {
  const copy = ids.slice();
  copy[position] = id;
  return copy;
}

/** At most N of a word's candidates, the word itself first. */
export function someCandidates(candidates: Candidates, id: number, random: Random): Int32Array {
  const others = [...candidates.of(id).filter((each) => each !== id)];
  if (others.length >= candidates.count) random.shuffle(others);
  return Int32Array.of(id, ...others.slice(0, candidates.count - 1));
}
