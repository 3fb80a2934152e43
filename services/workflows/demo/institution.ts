import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { INVENTORY_FILE } from '../../../models/bundle/bundle-files.js';
import { createKeyFiles, readPrivateKey } from '../../../models/bundle/key-files.js';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { inventoryBytes } from '../../../models/surrogates/inventory.js';
import { readOwnForms } from '../../../models/surrogates/own-forms.js';
import { bytesText } from '../../../platform/amount-text.js';
import { fetchModel } from '../../client/fetch-model.js';
import { contribute } from '../../institution/release/contribute.js';
import { encodeNotes } from '../encode-notes.js';
import { readInventory } from '../inventory-files.js';
import type { Institution } from './parts.js';
import type { PublishedRepresentation } from './provider.js';
import { type DemoSetting, workOf } from './setting.js';

export interface Shared {
  readonly institution: string;
  readonly documents: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
}

/** The token's name of an institution. */
export function holderOf({ name }: Institution): string {
  return name.replaceAll(' ', '-');
}

/** An institution fetches the bundle, verifies it, encodes its notes once and contributes. */
export async function encodeAndContribute(
  institution: Institution,
  { name, version }: PublishedRepresentation,
  setting: DemoSetting,
): Promise<Shared> {
  const {
    servers,
    embeddingsSource: embeddings,
    trust,
    narrator,
    directory,
    backend,
    entities,
  } = setting;
  const work = workOf(setting, institution.name);
  const { signal } = work;
  const holder = holderOf(institution);
  const home = path.join(directory, holder);
  const keys = await createKeyFiles(path.join(home, 'keys'));
  await servers.enrol(holder, keys.publicKeyFile);
  const registry = servers.registry(holder);
  const model = path.join(home, 'representation');
  await fetchModel(registry, { name, version }, model, { ...trust, signal });
  const newHome = path.join(home, 'encoder');
  const approval = { policy: undefined, trust, audits: [], registry };
  const job = {
    ...{ input: institution.notes, model, embeddings, approval, newHome, backend, entities },
    ...(entities === 'replace' && {
      inventory: await ownInventory(institution, { home, model }, setting),
    }),
  };
  const report = await encodeNotes(job, work);
  const accepted = await contribute(newHome, {
    pool: servers.pool(holder),
    privateKey: await readPrivateKey(keys.privateKeyFile),
    institution: holder,
    terms: 'demonstration',
    ...work,
  });
  const bytes = accepted.reduce((sum, contribution) => sum + contribution.bytes, 0);
  narrator.tell(
    `${institution.name}: ${report.documents} notes, ${report.released} sentences encoded once ` +
      `(${report.skipped} repeated ones left out), ${bytesText(bytes)} of vectors sent.`,
  );
  const { documents, released, tokens } = report;
  return { institution: institution.name, documents, sentences: released, tokens, bytes };
}

/** The bundle's inventory with how the house writes, in a file; none where it does not state that. */
async function ownInventory(
  { name, house }: Institution,
  { home, model }: { readonly home: string; readonly model: string },
  { scheme }: DemoSetting,
): Promise<string | undefined> {
  if (!house) return undefined;
  const { locales, ...stated } = house;
  const inventory = await createInventory(scheme, {
    base: {
      name: INVENTORY_FILE,
      inventory: await readInventory(path.join(model, INVENTORY_FILE)),
    },
    locales,
    ownForms: [readOwnForms(`${name}.json`, JSON.stringify(stated))],
  });
  const file = path.join(home, INVENTORY_FILE);
  await writeFile(file, inventoryBytes(inventory));
  return file;
}
