import path from 'node:path';
import { Command } from 'commander';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import {
  Inventory,
  type InventoryFile,
  inventoryBytes,
} from '../../../models/surrogates/inventory.js';
import { requireLanguages } from '../../../models/surrogates/locale-entities.js';
import {
  compareSurrogates,
  type Likeness,
} from '../../../models/surrogates/surrogate-comparison.js';
import { Random } from '../../../models/tensor/random.js';
import { requireFree } from '../../../models/text/corpus/output-file.js';
import { readKnownCorpus } from '../../../models/text/corpus/read-known-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { type LabelScheme, loadLabelScheme } from '../../../models/text/label-scheme.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { percent } from '../../../platform/percent-text.js';
import { TacetError } from '../../../proto/errors.js';
import { readEntityList, readFormsFile, readInventory } from '../../workflows/inventory-files.js';
import { contextOf } from '../context.js';
import { shareOrNone } from '../share.js';
import { wholeNumber } from '../whole-number.js';

interface CreateOptions {
  readonly scheme: string;
  readonly base?: string;
  readonly corpus?: readonly string[];
  readonly language?: readonly string[];
  readonly locale?: readonly string[];
  readonly list?: readonly string[];
  readonly ownForms?: readonly string[];
  readonly ownShare?: number;
  readonly exponent?: number;
  readonly commonShare?: number;
  readonly pseudoWords?: number;
}

/** `tacet inventory`: public entities that stand for those of notes. */
export function inventoryCommand(): Command {
  const inventory = new Command('inventory').description(
    'make and show inventories of public entities, which stand for those of notes',
  );
  inventory
    .command('create <file>')
    .description(
      'gather public entities by type in a new file: whatever they hold may stand in a release',
    )
    .requiredOption('--scheme <name>', 'label scheme whose types they are for')
    .option('--base <inventory>', 'one to begin with, such as inventory.json of a bundle')
    .option('--corpus <path...>', 'labelled notes that are public')
    .option(
      '--language <code...>',
      'how entities are commonly written there, and its countries’ names',
    )
    .option('--locale <name...>', "faker's lists of a language or country, such as es or de_AT")
    .option('--list <type=file...>', 'a file with an entity of the type on each line')
    .option(
      '--own-forms <file...>',
      'how your institution writes and labels entities, by type (JSON): from its guideline, not from notes',
    )
    .option(
      '--own-share <share>',
      'of the draws of a type that has own forms, theirs (default 0.75)',
      shareOrNone,
    )
    .option(
      '--exponent <number>',
      'what was met n times is drawn with weight n to the power of it: from 1, as it was met, to 0, all alike (default 0.5)',
      shareOrNone,
    )
    .option(
      '--common-share <share>',
      'of the draws, what languages and locales have beside corpora, lists and --base (default 0.75)',
      shareOrNone,
    )
    .option('--pseudo-words <share>', 'of names, those that nobody has (default none)', shareOrNone)
    .action(create);
  inventory
    .command('show <file>')
    .description('show sources, types and how many forms each type has')
    .option('--draws <n>', 'and how many of so many draws of each type differ', wholeNumber(1))
    .option('--notes <path>', 'and how alike the entities of labelled notes are written, by type')
    .option('--scheme <name>', 'label scheme of these notes')
    .action(showFile);
  return inventory;
}

async function create(
  file: string,
  {
    scheme: name,
    base,
    corpus = [],
    language = [],
    locale = [],
    list = [],
    ownForms = [],
    ...draws
  }: CreateOptions,
  command: Command,
): Promise<void> {
  const { signal } = contextOf(command);
  await requireFree(file);
  await requireLanguages(language);
  const scheme = loadLabelScheme(name);
  const corpora = await Promise.all(
    corpus.map(async (source) => ({
      name: path.basename(source),
      documents: await documentsOf(source, scheme, signal),
    })),
  );
  const lists = await Promise.all(list.map(readEntityList));
  const stated = await Promise.all(ownForms.map(readFormsFile));
  const sources = {
    ...(base !== undefined && {
      base: { name: path.basename(base), inventory: await readInventory(base) },
    }),
    ...{ corpora, languages: language, locales: locale, lists, ownForms: stated },
  };
  const made = await createInventory(scheme, sources, draws);
  const inventory = new Inventory(made);
  await requireFree(file);
  await writeAtomically(file, [inventoryBytes(made)], { signal });
  const missing = scheme.types.filter((type) => !inventory.types.includes(type));
  show(inventory, command, { missing });
}

interface ShowOptions {
  readonly draws?: number;
  readonly notes?: string;
  readonly scheme?: string;
}

async function showFile(
  file: string,
  { draws, notes, scheme }: ShowOptions,
  command: Command,
): Promise<void> {
  if ((notes === undefined) !== (scheme === undefined))
    throw new TacetError('usage', '--notes and --scheme: give both or neither');
  const inventory = await readInventory(file);
  const different = draws ? differentIn(inventory, draws) : {};
  if (notes === undefined || scheme === undefined) return show(inventory, command, { different });
  const labels = loadLabelScheme(scheme);
  const compared = compareSurrogates(
    await documentsOf(notes, labels, contextOf(command).signal),
    labels,
    inventory,
    new Random(1),
  );
  const { types: likeness, missing } = compared;
  show(inventory, command, { different, likeness, missing });
}

/** Of so many draws of each type, how many there are that differ; the draws are the same every time. */
function differentIn(inventory: Inventory, count: number): Record<string, number> {
  const draws = new Random(1);
  return Object.fromEntries(
    inventory.types.map((type) => {
      const drawn = Array.from({ length: count }, () => inventory.draw(type, draws));
      return [type, new Set(drawn).size];
    }),
  );
}

interface Shown {
  /** Types of the scheme or of notes that the inventory has no entities of. */
  readonly missing?: readonly string[];
  readonly different?: Readonly<Record<string, number>>;
  readonly likeness?: readonly Likeness[];
}

function show(
  inventory: Inventory,
  command: Command,
  { missing = [], different = {}, likeness = [] }: Shown = {},
): void {
  const { sources, weighting, pseudoWords, types: forms } = inventory.file;
  const counts = Object.fromEntries(
    inventory.types.map((type) => [type, forms[type]?.length ?? 0]),
  );
  const stated = { digest: inventory.digest, sources, weighting, pseudoWords };
  contextOf(command).result({ ...stated, forms: counts, different, likeness, missing }, [
    `digest   ${inventory.digest}`,
    ...sources.map(({ kind, name }) => `source   ${kind} ${name}`),
    ...drawLines(inventory.file),
    ...Object.entries(counts).map(([type, count]) => `forms    ${`${count}`.padStart(6)} ${type}`),
    ...Object.entries(different).map(
      ([type, count]) => `differ   ${`${count}`.padStart(6)} ${type}`,
    ),
    ...likeness.map(
      ({ type, surrogates, halves }) =>
        `alike    ${percent(surrogates).padStart(6)} of ${type}; ` +
        `one half of the notes and the other: ${percent(halves)}`,
    ),
    ...missing.map((type) => `missing  ${type}: notes that have it are refused`),
  ]);
}

function drawLines({ weighting, pseudoWords }: InventoryFile): string[] {
  return [
    ...(weighting
      ? [
          `weights  what was met n times: n to the power of ${weighting.exponent}; ` +
            `common forms: ${percent(weighting.commonShare)} of the draws`,
          ...(weighting.ownShare === undefined
            ? []
            : [
                `own      ${percent(weighting.ownShare)} of the draws of a type that has own forms`,
              ]),
        ]
      : []),
    ...(pseudoWords
      ? [`pseudo   ${percent(pseudoWords.share)} of the words of ${pseudoWords.lists.join(', ')}`]
      : []),
  ];
}

async function documentsOf(
  source: string,
  scheme: LabelScheme,
  signal: AbortSignal,
): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readKnownCorpus(source, scheme, {
    requireAnnotations: true,
    signal,
  }))
    documents.push(document);
  return documents;
}
