import type { Manifest } from '../../../../models/bundle/manifest.js';
import { statedLimits } from '../../../../models/bundle/stated-scores.js';
import { Coverage, type OriginCounts } from '../../../../models/embeddings/coverage.js';
import type { Embeddings } from '../../../../models/embeddings/embeddings.js';
import { ENOUGH_ORIGINS } from '../../../../models/evaluation/score-intervals.js';
import { ENOUGH_DOCUMENTS } from '../../../../models/statistics/estimate.js';
import { Inventory } from '../../../../models/surrogates/inventory.js';
import { compareSurrogates } from '../../../../models/surrogates/surrogate-comparison.js';
import { Random } from '../../../../models/tensor/random.js';
import { describeOthers, otherFiles } from '../../../../models/text/corpus/other-files.js';
import type { Document, Span } from '../../../../models/text/document.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { SchemeMapping } from '../../../../models/text/scheme-mapping.js';
import { NUMBERS_MOVE_AMONG } from '../../../../models/training/statement.js';
import { TacetError } from '../../../../proto/errors.js';
import { type EncodingModel, openEncodingModel } from '../../bundles/encoding-model.js';
import { requireInventory } from '../../release/job/required-inventory.js';
import { DEFAULT_NEIGHBOURS } from '../../release/ledger/default-neighbours.js';
import { describeAsText, SpansAsText } from '../../release/notes/spans-as-text.js';
import { missedNameLimit } from '../fit/missed-name-limit.js';
import { sampleNotes } from '../fit/notes-sample.js';
import { type TrialScore, tryNotes } from '../fit/trial.js';
import { type Checklist, NotLookedAt, requireFound } from './checklist.js';
import type { KnownModel } from './model-checks.js';
import type { PreflightOptions } from './preflight-options.js';

/** Enough to tell notes apart, few enough to wait for. */
const MOST_NOTES = 250;
/** Of what a publisher stated, by its manifest's names for it. */
const STATED_LIMIT = /^limit of every attack on pairs, (validation notes|held-out notes)$/;

/** What is needed to look at notes. */
interface Sight {
  readonly model: EncodingModel;
  readonly manifest: Manifest;
  readonly documents: readonly Document[];
}

/** Looks at labelled notes of the institution, where some are given: how well the model fits them. */
export async function checkNotes(
  checklist: Checklist,
  options: PreflightOptions,
  known: KnownModel,
): Promise<void> {
  const { notes, trial = false } = options;
  if (notes === undefined) return;
  const sight = await readNotes(checklist, notes, options, known);
  const seen = () => requireFound(sight, 'no notes could be read');
  const otherwise =
    'use vectors that were made of text like the notes, and a model of these vectors';
  await checklist.checkAlone('words', { otherwise }, async () =>
    coverageText(seen().documents, requireFound(known.embeddings, 'there are no embeddings')),
  );
  const limitAdvice = {
    'model-unsuitable':
      'expect more of a name that nobody labelled than the model states: use a second reader ' +
      '(tacet encode --reader), or a model that was trained on text like the notes',
    otherwise: 'give labelled notes of the kind that would be encoded',
  };
  await checklist.checkAlone('limit on these notes', limitAdvice, () => limitText(seen(), options));
  if (isReplacing(options))
    await checklist.checkAlone('surrogates', SURROGATE_ADVICE, async () =>
      likenessText(seen(), options),
    );
  else checklist.leaveOut('surrogates');
  if (trial) await checkTrial(checklist, options, seen);
  else checklist.leaveOut('trial on these notes');
  sight?.model.representation.dispose();
}

const SURROGATE_ADVICE = {
  'inventory-missing': 'give an inventory that has entities of every type (--inventory)',
  otherwise: 'look at what failed above',
};

function isReplacing({ entities, policy }: PreflightOptions): boolean {
  return (entities ?? policy?.entities ?? 'replaced') === 'replaced';
}

function inventoryOf({ model }: Sight, { inventory, policy }: PreflightOptions): Inventory {
  const own = inventory ? new Inventory(inventory) : model.inventory;
  return requireInventory(own, model.scheme, policy?.inventory);
}

function checkTrial(
  checklist: Checklist,
  options: PreflightOptions,
  seen: () => Sight,
): Promise<void> {
  const trialAdvice = {
    'documents-too-few': 'give more notes, or leave the trial out',
    otherwise: 'look at what failed above',
  };
  return checklist.checkAlone('trial on these notes', trialAdvice, () =>
    trialText(seen(), options),
  );
}

function readNotes(
  checklist: Checklist,
  path: string,
  { model, trust, policy, signal }: PreflightOptions,
  { bundle, embeddings }: KnownModel,
): Promise<Sight | undefined> {
  const advice = {
    'label-unknown':
      'map the types in a scheme file of your own, every one to one of the model or to null',
    otherwise: 'give labelled notes in a format that tacet corpus --help lists',
  };
  return checklist.check('notes', advice, async () => {
    const verified = requireFound(bundle, 'the model did not verify');
    if (checklist.hasFailed || !embeddings) throw new NotLookedAt('the model is not approved');
    const sample = await sampleNotes(path, MOST_NOTES, signal);
    const others = describeOthers(await otherFiles(path));
    const fitted = { ...trust, embeddings, scheme: policy?.labelScheme };
    const opened = await openEncodingModel(model, fitted);
    const mapping = new SchemeMapping(opened.scheme);
    for (const { document, origin } of sample) mapping.apply(document, origin);
    mapping.refuseUnmapped(path);
    const documents = sample.map(({ document }) => document);
    const spans = documents.flatMap((each) => each.spans);
    const text =
      `${documents.length} looked at, ${spans.length} labelled entities, all of types that the model knows` +
      keptAsText(spans, opened.scheme) +
      (others === undefined ? '' : `; ${others}`);
    return { text, value: { model: opened, manifest: verified.manifest, documents } };
  });
}

/** Of entities that the scheme says are no PHI, which nothing replaces, how many there are of each type. */
function keptAsText(spans: readonly Span[], scheme: LabelScheme): string {
  const asText = new SpansAsText(scheme);
  asText.add(spans);
  const types = describeAsText(asText.counts);
  return types === undefined
    ? ''
    : `; of them it takes for text, so that they leave as they stand: ${types}`;
}

function coverageText(documents: readonly Document[], embeddings: Embeddings): string {
  const coverage = new Coverage(embeddings);
  for (const document of documents) coverage.add(document);
  const { words, phi } = coverage.report();
  return `of the words ${sharesOf(words)}; of PHI ${sharesOf(phi)}`;
}

/** How many have a vector of their own, one of their parts, or none. */
function sharesOf(counts: OriginCounts): string {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const share = (count: number) => percent(all === 0 ? 0 : count / all);
  const own = counts['as written'] + counts['lower case'];
  return (
    `${share(own)} have a vector of their own, ${share(counts.subwords)} one of their parts, ` +
    `${share(counts.digits + counts.unknown)} none`
  );
}

/** Throws `model-unsuitable` where names of these notes are more open than the model states. */
async function limitText(
  { model, manifest, documents: notes }: Sight,
  { signal, progress }: PreflightOptions,
): Promise<string> {
  const { neighbours = DEFAULT_NEIGHBOURS } = manifest.training;
  const found = await missedNameLimit(model, notes, {
    neighbours: Number(neighbours),
    ...{ signal, progress },
  });
  const { bound, percentile95, long, pairs, documents, unmoved } = found;
  const [low, high] = bound.interval;
  const text =
    'a word of a name that nobody labelled is told from its neighbours, in the mean and with all else kept, in at most ' +
    `${percent(bound.value)} [${percent(low)}, ${percent(high)}] of ${pairs} pairs, 95th percentile ${percent(percentile95)}` +
    (long === undefined ? '' : `, sentences over 20 tokens ${percent(long)}`) +
    (unmoved === 0 ? '' : `, without ${unmoved} PHI words that nothing stands in for`) +
    (documents < ENOUGH_DOCUMENTS
      ? `, of ${documents} notes, those of one origin as one, too few to be sure of`
      : '');
  const stated = statedLimits(manifest.scores).find(({ name }) => STATED_LIMIT.test(name));
  if (!stated) return `${text}; the model states none`;
  const { name, value, interval: [, most] = [value, value] } = stated;
  const moves = NUMBERS_MOVE_AMONG in manifest.training ? ', numbers moved to near ones alone' : '';
  const claim = `${text}; the model states ${percent(value)} of ${name.replace(STATED_LIMIT, '$1')}${moves}`;
  if (bound.value <= most) return claim;
  if (low <= most) return `${claim}, which is not shown to hold here`;
  throw new TacetError('model-unsuitable', `${claim}, which does not hold here`);
}

async function trialText(sight: Sight, options: PreflightOptions): Promise<string> {
  const { model, documents } = sight;
  const { signal, progress } = options;
  const inventory = isReplacing(options) ? inventoryOf(sight, options) : undefined;
  const { learned, measured, origins, text, released } = await tryNotes(model, documents, {
    ...{ inventory, signal, progress },
  });
  const within = (interval: TrialScore['interval']) =>
    interval ? ` [${interval.map(percent).join(', ')}]` : '';
  const score = ({ f1, interval, recall }: TrialScore) =>
    `F1 ${percent(f1)}${within(interval)}, recall ${percent(recall)}`;
  const ofFew =
    origins < ENOUGH_ORIGINS
      ? `${origins === measured ? '' : ` of ${origins} origins`}, too few to be sure of`
      : '';
  return (
    `on ${measured} notes${ofFew}, after learning from ${learned}: by their text ${score(text)}; by their ` +
    `releases, as a pool that has these notes alone, ${score(released)}`
  );
}

/** Of two halves of the notes; below it there are too many ways to write an entity to compare so few. */
const LEAST_ALIKE = 0.2;

/**
 * Names the types whose surrogates are less than half as much like the entities as these are like each other. Throws
 * `inventory-missing`.
 */
function likenessText(sight: Sight, options: PreflightOptions): string {
  const { model, documents } = sight;
  const { types, missing } = compareSurrogates(
    documents,
    model.scheme,
    inventoryOf(sight, options),
    new Random(1),
    options.keptTypes,
  );
  if (missing.length > 0)
    throw new TacetError('inventory-missing', `there are none of type ${missing.join(', ')}`);
  const all = types.filter(({ halves }) => halves >= LEAST_ALIKE);
  if (all.length === 0) return 'too few entities of any type to compare';
  const strange = all.filter(({ surrogates, halves }) => surrogates < halves / 2);
  if (strange.length === 0)
    return `written much as the entities of these notes are, of all ${all.length} types that can be compared`;
  const shares = strange.map(
    ({ type, surrogates, halves }) => `${type} ${percent(surrogates)} (${percent(halves)})`,
  );
  return (
    `written otherwise than the entities of these notes, of ${strange.length} of ${all.length} types: alike in ${shares.join(', ')}; ` +
    'in brackets one half of the notes and the other; state how you write them (tacet inventory create --own-forms)'
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
