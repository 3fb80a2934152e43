import { Probe } from '../../networks/probe.js';
import { meanOf } from '../../statistics/mean-of.js';
import * as tf from '../../tensor/tf.js';
import { runStage } from '../../training/run/run-stage.js';
import type { Attack, AttackContext, AttackReport } from '../attack.js';
import { freeAfter, freeOnError, type HeldMemory } from '../held-memory.js';
import { IN_CLEAR, inClear } from '../in-clear.js';
import { classScores, type ProbeData, probeStage } from '../inversion/probe-stage.js';
import { LEARNING_LIMITS, type LearningLimits } from '../learned/learning-limits.js';
import { mentionVectors } from '../likelihood/mention.js';
import { attackReport, type Outcome, shortenedLearning } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { TraitReader } from '../traits.js';
import { ATTRIBUTES, type Attribute, type AttributeName } from './attribute.js';
import {
  bySentence,
  type Clue,
  cluesOf,
  copiesWithOtherWords,
  isToldBySurrogates,
  trialsOf,
  wordsOf,
} from './clues.js';

const LEAST_SENTENCES = 10;

interface LearnedProbe {
  readonly probe: Probe;
  readonly data: ProbeData<Clue>;
}

interface TrainedProbes {
  readonly sighted: LearnedProbe;
  readonly blind: LearnedProbe;
  /** The most frequent class of the attacker's own notes. */
  readonly commonest: number;
  readonly epochs: number;
  readonly bestEpoch: number;
}

interface Inferred {
  readonly outcomes: readonly Outcome[];
  /** Whether it is what each surrogate tells that was to be inferred. */
  readonly bySurrogate: boolean;
  readonly rest: Pick<AttackReport, 'settings' | 'shortened'>;
}

/**
 * Attribute inference: a network learns on the attacker's own notes to tell the sex of a patient from
 * the vectors of given names, or the age group from the vectors of the age. Surnames and names of both
 * sexes say nothing of the sex and are not tried. The attacker also learns from copies of its notes with
 * other names of the lists in them. A trial is a sentence: the scores of its clues are added up. Where
 * entities were replaced, it is the sex or the age group that a surrogate tells by itself, and a trial is
 * a surrogate. Guessing is a like network without the vectors, or the most frequent class, whichever is
 * right more often.
 */
export function attributeInference(
  name: AttributeName,
  limits: LearningLimits = LEARNING_LIMITS,
): Attack<TrainedProbes, Inferred> {
  const attribute: Attribute = ATTRIBUTES[name];
  return {
    name: attribute.name,
    minutes: attribute.minutes,
    reports: 1,
    obstacle: (target) => obstacleTo(attribute, target),
    prepare(target, context) {
      const held: HeldMemory[] = [];
      return freeOnError(held, () => learnAttribute(attribute, target, limits, context, held));
    },
    run(target, context, learned) {
      const held = [learned.sighted, learned.blind].map(({ probe }) => probe.parameters);
      return freeAfter(held, () => infer(attribute, target, learned, limits, context));
    },
    report({ outcomes, bySurrogate, rest }, context) {
      const { name, task, what, toldBy } = attribute;
      const notes = toldBy ? 'its own notes, and copies with listed names,' : 'its own notes';
      const whose = bySurrogate ? ', of each surrogate what it tells by itself' : '';
      const description = `learns on ${notes} to tell ${what}${whose}; guessing is the same without the vectors`;
      const about = { ...rest, name, attack: name, task, description };
      return [attackReport(about, outcomes, 'tried', context)];
    },
  };
}

function obstacleTo(attribute: Attribute, target: AuditTarget): string | undefined {
  const few = [target.train, target.validation, target.test].some(
    (part) => bySentence(cluesOf(target, part, attribute)).length < LEAST_SENTENCES,
  );
  if (!few) return undefined;
  return `${attribute.what} (a part of the notes has fewer than ${LEAST_SENTENCES} sentences with such PHI whose patient's attribute can be read by rule)`;
}

/** Learns from the vectors, and once more from what is shared in clear alone; adds the probes to `held`. */
async function learnAttribute(
  attribute: Attribute,
  target: AuditTarget,
  limits: LearningLimits,
  context: AttackContext,
  held: HeldMemory[],
): Promise<TrainedProbes> {
  const { name, classes } = attribute;
  const [train, validation] = [target.train, target.validation].map((part) =>
    cluesOf(target, part, attribute),
  );
  const learn = async (
    stage: string,
    inputs: number,
    parts: Pick<ProbeData<Clue>, 'train' | 'validation' | 'vectors'>,
  ) => {
    const probe = new Probe(inputs, classes.length, context.random.fork(stage));
    held.push(probe.parameters);
    const data = { ...parts, classOf: ({ truth }: Clue) => truth };
    return { probe, data, ...(await runStage(probeStage(stage, probe, data, limits), context)) };
  };
  const own = { train, validation, vectors: inClear };
  const blind = await learn(`${name}-in-clear`, IN_CLEAR, own);
  const words = wordsOf(target, attribute);
  const random = context.random.fork(`${name}-filled`);
  const { dimension } = target.representation.config;
  const sighted = await learn(name, dimension + IN_CLEAR, {
    train: [...train, ...copiesWithOtherWords(train, words, random)],
    validation: [...validation, ...copiesWithOtherWords(validation, words, random)],
    vectors: (clues, noise) =>
      tf.concat2d([mentionVectors(target, clues, noise), inClear(clues)], 1),
  });
  const counts = classes.map((_, at) => train.filter(({ truth }) => truth === at).length);
  const commonest = counts.indexOf(Math.max(...counts));
  const { epochs, bestEpoch } = sighted;
  return { sighted, blind, commonest, epochs, bestEpoch };
}

function infer(
  attribute: Attribute,
  target: AuditTarget,
  { sighted, blind, commonest, epochs, bestEpoch }: TrainedProbes,
  limits: LearningLimits,
  { random }: AttackContext,
): Inferred {
  const clues = cluesOf(target, target.test, attribute);
  const bySurrogate = isToldBySurrogates(target);
  const trials = trialsOf(target, clues);
  const traits = new TraitReader(target);
  const [answers, guesses] = [sighted, blind].map(({ probe, data }) => {
    const scores = classScores(probe, data, clues, random.fork('measure'));
    return answersTo(trials, new Map(clues.map((clue, i) => [clue, scores[i]])));
  });
  const truths = trials.map(([{ truth }]) => truth);
  const blindly = truths.map((truth, i) => Number(guesses[i] === truth));
  const commonly = truths.map((truth) => Number(truth === commonest));
  const guessed = meanOf(blindly) > meanOf(commonly) ? blindly : commonly;
  const outcomes = trials.map(([{ example, position, truth }], i) => ({
    documentIndex: example.documentIndex,
    success: answers[i] === truth,
    guessed: guessed[i],
    traits: traits.of(example, position),
  }));
  const settings = { classes: attribute.classes.length, epochs, bestEpoch, ...limits };
  const shortened = shortenedLearning({ epochs, bestEpoch }, limits);
  return { outcomes, bySurrogate, rest: { settings, shortened } };
}

/** The likeliest class of each trial, whose clues count together. */
function answersTo(
  trials: readonly (readonly Clue[])[],
  scores: ReadonlyMap<Clue, Float32Array>,
): number[] {
  return trials.map((clues) => {
    const [first, ...others] = clues.map((clue) => scores.get(clue) ?? new Float32Array());
    const totals = first.map((score, at) => others.reduce((sum, each) => sum + each[at], score));
    return totals.indexOf(Math.max(...totals));
  });
}
