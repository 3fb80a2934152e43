import { Probe } from '../../networks/probe.js';
import { meanOf } from '../../statistics/mean-of.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/examples.js';
import { runStage } from '../../training/stage.js';
import type { Attack, AttackReport, AttackTask } from '../attack.js';
import type { AttackId } from '../attack-ids.js';
import { IN_CLEAR, inClear } from '../in-clear.js';
import { LEARNING_LIMITS, type LearningLimits } from '../learned/learning-limits.js';
import { type Mention, mentionVectors } from '../likelihood/mention.js';
import { attackReport, type Outcome, shortenedLearning } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { sexOfGivenName } from './given-names.js';
import { AGE_GROUPS, type Patient, SEXES } from './patient.js';
import { classScores, type ProbeData, probeStage } from './probe-stage.js';
import { TraitReader, typeOf } from './traits.js';

/** What of a patient is inferred, and from which PHI. */
interface Attribute {
  readonly name: AttackId;
  readonly task: AttackTask;
  readonly classes: readonly string[];
  readonly of: (patient: Patient) => string | undefined;
  /** PHI types of the tokens whose vectors it is read from. */
  readonly types: ReadonlySet<string>;
  /** The class that a word itself tells, where only words that tell one are tried. */
  readonly toldBy?: (word: string) => string | undefined;
  readonly what: string;
  /** As `Attack.minutes`. */
  readonly minutes: number;
}

const ATTRIBUTES = {
  sex: {
    name: 'attribute-sex',
    task: 'infer the sex',
    classes: SEXES,
    of: ({ sex }) => sex,
    types: new Set(['PATIENT', 'NOMBRE_SUJETO_ASISTENCIA', 'PERSON']),
    toldBy: sexOfGivenName,
    what: 'the sex of patients from the vectors of their given names',
    minutes: 0.8,
  },
  age: {
    name: 'attribute-age',
    task: 'infer the age group',
    classes: AGE_GROUPS,
    of: ({ ageGroup }) => ageGroup,
    types: new Set(['AGE', 'EDAD_SUJETO_ASISTENCIA']),
    what: 'the age group of patients (of four) from the vectors of their ages',
    minutes: 0.4,
  },
} as const satisfies Record<string, Attribute>;

export type AttributeName = keyof typeof ATTRIBUTES;

const LEAST_SENTENCES = 10;

/** Copies of each of the attacker's own sentences with other words of its list filled in. */
const FILLED = 4;

/** A PHI token and what is to be inferred from its vector. */
interface Clue extends Mention {
  readonly truth: number;
}

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
  readonly rest: Pick<AttackReport, 'settings' | 'shortened'>;
}

/**
 * Attribute inference: a network learns on the attacker's own notes to tell the sex of a patient by
 * the vectors of given names, or the age group by those of the age. Surnames and names of both sexes
 * say nothing of the sex and are not tried; the attacker also learns from copies of its notes with
 * other listed names filled in. One trial is one sentence, all of whose vectors of that kind count
 * together. Guessing is what a like network learns from what is shared in clear alone, or the
 * commonest class, whichever is right more often.
 */
export function attributeInference(
  attribute: AttributeName,
  limits: LearningLimits = LEARNING_LIMITS,
): Attack<TrainedProbes, Inferred> {
  const { name, task, what, minutes, ...kind }: Attribute = ATTRIBUTES[attribute];
  return {
    name,
    minutes,
    reports: 1,
    obstacle(target) {
      const parts = [target.train, target.validation, target.test];
      const few = parts.some(
        (part) => bySentence(cluesOf(target, part, kind)).length < LEAST_SENTENCES,
      );
      if (!few) return undefined;
      return `${what} (a part of the notes has fewer than ${LEAST_SENTENCES} sentences with such PHI whose patient's attribute can be read by rule)`;
    },
    async prepare(target, context) {
      const { dimension } = target.representation.config;
      const [train, validation] = [target.train, target.validation].map((part) =>
        cluesOf(target, part, kind),
      );
      const learn = async (
        stage: string,
        inputs: number,
        parts: Pick<ProbeData<Clue>, 'train' | 'validation' | 'vectors'>,
      ) => {
        const probe = new Probe(inputs, kind.classes.length, context.random.fork(stage));
        const data = { ...parts, classOf: ({ truth }: Clue) => truth };
        return {
          probe,
          data,
          ...(await runStage(probeStage(stage, probe, data, limits), context)),
        };
      };
      const own = { train, validation, vectors: inClear };
      const blind = await learn(`${name}-in-clear`, IN_CLEAR, own);
      const words = wordsOf(target, kind);
      const filling = context.random.fork(`${name}-filled`);
      const sighted = await learn(name, dimension + IN_CLEAR, {
        train: [...train, ...filled(train, words, filling)],
        validation: [...validation, ...filled(validation, words, filling)],
        vectors: (clues, random) =>
          tf.concat2d([mentionVectors(target, clues, random), inClear(clues)], 1),
      });
      const counts = kind.classes.map((_, at) => train.filter(({ truth }) => truth === at).length);
      const commonest = counts.indexOf(Math.max(...counts));
      const { epochs, bestEpoch } = sighted;
      return { sighted, blind, commonest, epochs, bestEpoch };
    },
    async run(target, { random }, { sighted, blind, commonest, epochs, bestEpoch }) {
      const clues = cluesOf(target, target.test, kind);
      const sentences = bySentence(clues);
      const traits = new TraitReader(target);
      const [answers, guesses] = [sighted, blind].map(({ probe, data }) => {
        const scores = classScores(probe, data, clues, random.fork('measure'));
        probe.parameters.dispose();
        return answersTo(sentences, new Map(clues.map((clue, i) => [clue, scores[i]])));
      });
      const truths = sentences.map(([{ truth }]) => truth);
      const blindly = truths.map((truth, i) => Number(guesses[i] === truth));
      const commonly = truths.map((truth) => Number(truth === commonest));
      const guessed = meanOf(blindly) > meanOf(commonly) ? blindly : commonly;
      const outcomes = sentences.map(([{ example, position, truth }], i) => ({
        documentIndex: example.documentIndex,
        success: answers[i] === truth,
        guessed: guessed[i],
        traits: traits.of(example, position),
      }));
      const settings = { classes: kind.classes.length, epochs, bestEpoch, ...limits };
      const shortened = shortenedLearning({ epochs, bestEpoch }, limits);
      return { outcomes, rest: { settings, shortened } };
    },
    report({ outcomes, rest }, context) {
      const notes = kind.toldBy ? 'its own notes, and copies with listed names,' : 'its own notes';
      const description = `learns on ${notes} to tell ${what}; guessing is the same without the vectors`;
      return [
        attackReport(
          { ...rest, name, attack: name, task, description },
          outcomes,
          'tried',
          context,
        ),
      ];
    },
  };
}

/** The likeliest class of each sentence, whose clues count together. */
function answersTo(
  sentences: readonly (readonly Clue[])[],
  scores: ReadonlyMap<Clue, Float32Array>,
): number[] {
  return sentences.map((clues) => {
    const [first, ...others] = clues.map((clue) => scores.get(clue) ?? new Float32Array());
    const totals = first.map((score, at) => others.reduce((sum, each) => sum + each[at], score));
    return totals.indexOf(Math.max(...totals));
  });
}

function cluesOf(
  { labels, patients, vocabulary }: AuditTarget,
  examples: readonly TextExample[],
  { types, classes, of, toldBy }: Pick<Attribute, 'types' | 'classes' | 'of' | 'toldBy'>,
): Clue[] {
  const tells = (id: number) => !toldBy || toldBy(vocabulary.wordOf(id) ?? '') !== undefined;
  return examples.flatMap((example) => {
    const patient = patients?.get(example);
    const truth = classes.indexOf((patient && of(patient)) ?? '');
    if (truth < 0) return [];
    return [...example.labels.keys()]
      .filter((position) => types.has(typeOf(labels, example.labels[position])))
      .filter((position) => tells(example.ids[position]))
      .map((position) => ({ example, position, truth }));
  });
}

/** Words of the vocabulary that tell a class, [classes][words]. */
function wordsOf(
  { vocabulary }: AuditTarget,
  { classes, toldBy }: Pick<Attribute, 'classes' | 'toldBy'>,
): number[][] {
  const words: number[][] = classes.map(() => []);
  if (!toldBy) return words;
  for (let id = 0; id < vocabulary.size; id++) {
    const told = classes.indexOf(toldBy(vocabulary.wordOf(id) ?? '') ?? '');
    words[told]?.push(id);
  }
  return words;
}

/** The attacker's own sentences with other words of one drawn class in place of those that told one. */
function filled(
  clues: readonly Clue[],
  words: readonly (readonly number[])[],
  random: Random,
): Clue[] {
  if (words.some(({ length }) => length === 0)) return [];
  return bySentence(clues).flatMap((own) =>
    Array.from({ length: FILLED }, () => {
      const truth = random.integer(words.length);
      const ids = own[0].example.ids.slice();
      for (const { position } of own)
        ids[position] = words[truth][random.integer(words[truth].length)];
      const example = { ...own[0].example, ids };
      return own.map(({ position }) => ({ example, position, truth }));
    }).flat(),
  );
}

function bySentence(clues: readonly Clue[]): Clue[][] {
  const sentences = new Map<TextExample, Clue[]>();
  for (const clue of clues)
    sentences.set(clue.example, [...(sentences.get(clue.example) ?? []), clue]);
  return [...sentences.values()];
}
