import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { requireLanguages } from '../../../models/surrogates/locale-entities.js';
import type { Document } from '../../../models/text/document.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { frozenDigest, openRepresentation } from '../../../study/runs/frozen.js';
import {
  isReleased,
  isReplaced,
  measureWay,
  WAYS,
  type Way,
  type WayResult,
} from '../../../study/sharing/ways.js';
import { onceMeasured, type Settings } from '../../workflows/train/measured-once.js';
import {
  type MaterialOptions,
  readLabelled,
  readMaterial,
} from '../../workflows/train/run-material.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { withMaterialOptions } from '../material-options.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends MaterialOptions {
  readonly institutions: readonly string[];
  readonly frozen?: string;
  readonly config?: string;
  readonly seeds: number;
  readonly commonForms?: readonly string[];
  readonly locale?: readonly string[];
  readonly copies: number;
  readonly maxAlike?: number;
  readonly pieces?: number;
  readonly labelDocuments?: number;
  readonly only?: readonly Way[];
  readonly out: string;
}

/** `tacet experiment ways`: one set of notes, shared in every way, and what a de-identifier learns of it. */
export function experimentWaysCommand(): Command {
  const command = new Command('ways').description(
    'compare ways of sharing notes: not at all, as text, replaced, released, replaced and released',
  );
  return withMaterialOptions(command)
    .requiredOption(
      '--institutions <notes...>',
      "each institution's notes, which leave together; those of --corpus are public",
    )
    .option('--frozen <dir>', 'a frozen representation, for the ways that release')
    .option('--config <file>', 'training configuration, a file or a name')
    .option('--seeds <n>', 'how many, from 1', wholeNumber(1), 1)
    .option('--common-forms <language...>', "common forms and names beside the provider's own")
    .option('--locale <name...>', "faker's lists beside the provider's own entities")
    .option('--copies <n>', 'replace each note so often, by other entities', wholeNumber(1), 1)
    .option('--max-alike <n>', 'as of a policy, where entities are replaced', wholeNumber(1))
    .option('--pieces <n>', 'release pieces of at most so many tokens', wholeNumber(1))
    .option(
      '--label-documents <n>',
      'release pieces whose labels so many notes have, as of a policy',
      wholeNumber(1),
    )
    .option('--only <list>', `these alone, of ${WAYS.join(',')}`, ways)
    .requiredOption(
      '--out <dir>',
      'for ways.json; a file for each way and seed, of which what is there is not done again',
    )
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress, say, result } = context;
  await requireLanguages(options.commonForms ?? []);
  await useBackendOf(command);
  const material = await readMaterial(options, context);
  const institutions: (readonly Document[])[] = [];
  for (const notes of options.institutions)
    institutions.push(await readLabelled(notes, material.scheme, signal));
  const usual = await readConfig(options.config);
  const representation =
    options.frozen === undefined
      ? undefined
      : await openRepresentation(options.frozen, material.embeddings);
  const { copies, maxAlike, pieces, labelDocuments, out, only = WAYS } = options;
  const { commonForms: languages, locale: locales } = options;
  const ofReplaced = { copies, maxAlike, languages, locales };
  const ofReleased = { pieces, labelDocuments };
  const frozen = options.frozen === undefined ? undefined : await frozenDigest(options.frozen);
  const { seed: _, ...configuration } = usual;
  const stated = (way: Way): Settings => ({
    configuration,
    corpus: documentsDigest(material.documents),
    'held-out notes': documentsDigest(material.heldOut),
    ...(way !== 'provider alone' && { institutions: documentsDigest(institutions.flat()) }),
    embeddings: material.embeddings.identity,
    scheme: material.scheme.digest,
    ...(isReplaced(way) && ofReplaced),
    // Also in ways that release nothing it says which words are read by their characters.
    representation: frozen,
    ...(isReleased(way) && ofReleased),
    ...(isReleased(way) && labelDocuments && { jobs: institutions.map(documentsDigest) }),
  });
  const results: WayResult[] = [];
  for (let seed = 1; seed <= options.seeds; seed++) {
    const directory = path.join(out, `seed-${seed}`);
    makeFolders(directory);
    const each = {
      ...{ institutions, representation, directory, config: { ...usual, seed } },
      ...{ ...ofReplaced, ...ofReleased },
    };
    for (const way of only.filter((one) => representation || !isReleased(one))) {
      const measure = () => measureWay(way, material, each, { signal, progress });
      const file = path.join(out, `${way}-seed-${seed}.json`);
      const found = await onceMeasured(file, stated(way), measure);
      results.push(found);
      say(lineOf(found));
    }
  }
  representation?.dispose();
  await writeAtomically(path.join(out, 'ways.json'), `${JSON.stringify(results, null, 1)}\n`);
  result(results, results.map(lineOf));
}

function lineOf({ way, seed, scores, epochs }: WayResult): string {
  const { binaryToken, hipaaToken, entity } = scores;
  const percent = ({ value }: { value: number }) => (100 * value).toFixed(2);
  return [
    `${way.padEnd(24)} seed ${seed}, ${epochs} epochs:`,
    ...(hipaaToken ? [`HIPAA token F1 ${percent(hipaaToken.f1)};`] : []),
    `token F1 ${percent(binaryToken.f1)}, recall ${percent(binaryToken.recall)};`,
    `entity F1 ${percent(entity.f1)}`,
  ].join(' ');
}

function ways(text: string): Way[] {
  return text.split(',').map((name) => {
    const known = WAYS.find((each) => each === name.trim());
    if (known) return known;
    throw new InvalidArgumentError(`expected some of ${WAYS.join(', ')}`);
  });
}
