import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { Inventory, inventoryBytes } from '../../../models/surrogates/inventory.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { TacetError } from '../../../proto/errors.js';
import { readInventory } from '../../workflows/inventory-files.js';
import { contextOf } from '../context.js';

interface CreateOptions {
  readonly scheme: string;
  readonly corpus?: readonly string[];
  readonly language?: readonly string[];
  readonly locale?: readonly string[];
  readonly list?: readonly string[];
}

/** `tacet inventory`: public entities that stand for those of notes. */
export function inventoryCommand(): Command {
  const inventory = new Command('inventory').description(
    'make and show inventories of public entities, which stand for those of notes',
  );
  inventory
    .command('create <file>')
    .description('gather public entities by type: whatever they hold may stand in a release')
    .requiredOption('--scheme <name>', 'label scheme whose types they are for')
    .option('--corpus <path...>', 'labelled notes that are public')
    .option(
      '--language <code...>',
      'how entities are commonly written there, and its countries’ names',
    )
    .option('--locale <name...>', "faker's lists of a language or country, such as es or de_AT")
    .option('--list <type=file...>', 'a file with an entity of the type on each line')
    .action(create);
  inventory
    .command('show <file>')
    .description('show sources, types and how many forms each type has')
    .action(async (file: string, _options, command: Command) =>
      show(await readInventory(file), command),
    );
  return inventory;
}

async function create(
  file: string,
  { scheme: name, corpus = [], language = [], locale = [], list = [] }: CreateOptions,
  command: Command,
): Promise<void> {
  const { signal } = contextOf(command);
  const scheme = loadLabelScheme(name);
  const corpora = await Promise.all(
    corpus.map(async (source) => ({
      name: path.basename(source),
      documents: await documentsOf(source, signal),
    })),
  );
  const lists = await Promise.all(list.map(readList));
  const made = await createInventory(scheme, {
    corpora,
    languages: language,
    locales: locale,
    lists,
  });
  const inventory = new Inventory(made);
  await writeAtomically(file, [inventoryBytes(made)]);
  show(inventory, command, scheme.types);
}

function show(inventory: Inventory, command: Command, types: readonly string[] = []): void {
  const { sources, types: forms } = inventory.file;
  const missing = types.filter((type) => !inventory.types.includes(type));
  const counts = Object.fromEntries(
    inventory.types.map((type) => [type, forms[type]?.length ?? 0]),
  );
  contextOf(command).result({ digest: inventory.digest, sources, forms: counts, missing }, [
    `digest   ${inventory.digest}`,
    ...sources.map(({ kind, name }) => `source   ${kind} ${name}`),
    ...Object.entries(counts).map(([type, count]) => `forms    ${`${count}`.padStart(6)} ${type}`),
    ...missing.map((type) => `missing  ${type}: notes that have it are refused`),
  ]);
}

async function documentsOf(source: string, signal: AbortSignal): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(source, { requireAnnotations: true, signal }))
    documents.push(document);
  return documents;
}

async function readList(stated: string) {
  const [, type, file] = /^([^=]+)=(.+)$/.exec(stated) ?? [];
  if (type === undefined || file === undefined)
    throw new TacetError('usage', `--list ${stated}: expected TYPE=FILE`);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${file}: no such file`);
  });
  return { name: path.basename(file), type, text };
}
