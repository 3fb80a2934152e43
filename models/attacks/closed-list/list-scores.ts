import type { Random } from '../../tensor/random.js';
import type * as tf from '../../tensor/tf.js';
import { likelihoods } from '../likelihood/likelihoods.js';
import type { Scoring } from '../likelihood/scorer.js';
import type { AuditTarget } from '../target.js';
import { filled, type ListedEntity, type Place } from './listed-entity.js';

/**
 * How likely the releases of a note are with each entity of the list in it, [list], up to a constant:
 * the sum over the sentences that hold it of log p(release | sentence with that entity). `releaseOf`
 * gives the release of a place, [1, T·d].
 */
export function listScores(
  { representation, vocabulary }: AuditTarget,
  { list, places }: Pick<ListedEntity, 'list' | 'places'>,
  releaseOf: (place: Place, at: number) => tf.Tensor2D,
  { scorer, draws }: Pick<Scoring, 'scorer' | 'draws'>,
  random: Random,
): Float64Array {
  const scores = new Float64Array(list.length);
  for (const [at, place] of places.entries()) {
    const sentences = list.map((entity) => filled(place, entity, vocabulary));
    const own = random.fork(`place-${at}`);
    const released = releaseOf(place, at);
    const found = likelihoods(representation, vocabulary, sentences, released, draws, own);
    found[scorer].forEach((score, i) => {
      scores[i] += score;
    });
  }
  return scores;
}
