import path from 'node:path';
import { createKeyFiles, readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import { fetchModel } from '../../client/fetch-model.js';
import { openEncodingModel } from '../../institution/bundles/encoding-model.js';
import { contribute } from '../../institution/release/contribute.js';
import { encode } from '../../institution/release/encode.js';
import type { Institution } from './parts.js';
import type { PublishedRepresentation } from './provider.js';
import type { DemoSetting } from './setting.js';
import { bytesText } from './table.js';

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
export async function share(
  institution: Institution,
  { name, version }: PublishedRepresentation,
  setting: DemoSetting,
): Promise<Shared> {
  const { servers, embeddings, publisher, narrator, directory } = setting;
  const { signal, progress } = setting.context;
  const holder = holderOf(institution);
  const home = path.join(directory, holder);
  const keys = await createKeyFiles(path.join(home, 'keys'));
  await servers.enrol(holder, keys.publicKeyFile);
  const trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
  const bundle = path.join(home, 'representation');
  await fetchModel(servers.registry(holder), { name, version }, bundle, { trustedKeys, signal });
  const model = await openEncodingModel(bundle, { trustedKeys, embeddings });
  const work = { signal, progress };
  const report = await encode(institution.notes, model, path.join(home, 'encoder'), work);
  const accepted = await contribute(path.join(home, 'encoder'), {
    pool: servers.pool(holder),
    privateKey: await readPrivateKey(keys.privateKeyFile),
    institution: holder,
    terms: 'demonstration',
    ...work,
  });
  model.representation.dispose();
  const bytes = accepted.reduce((sum, contribution) => sum + contribution.bytes, 0);
  narrator.tell(
    `${institution.name}: ${report.documents} notes, ${report.released} sentences encoded once ` +
      `(${report.skipped} repeated ones left out), ${bytesText(bytes)} of vectors sent.`,
  );
  const { documents, released, tokens } = report;
  return { institution: institution.name, documents, sentences: released, tokens, bytes };
}
