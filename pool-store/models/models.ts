import { TacetError } from '../../proto/errors.js';
import { PUBLICATION_STATUSES, type PublicationStatus } from '../../proto/publication.js';
import { compareVersions, DIGEST, NAME, TIME, VERSION } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from '../catalog/catalog.js';
import { contains } from '../catalog/sql-dialect.js';
import type { ChangeLog } from '../log/change-log.js';

export const MODEL = closedObject(
  {
    /** SHA-256 of its manifest. */
    digest: DIGEST,
    name: NAME,
    version: VERSION,
    publisher: NAME,
    published: TIME,
    status: oneOf(PUBLICATION_STATUSES),
    /** Why it was deprecated or revoked. */
    reason: nullable(Type.String()),
  },
  { title: 'Model' },
);

/** A published bundle. Its name, version and files never change; signatures may be added. */
export type Model = TypeOf<typeof MODEL>;

export interface NewModel {
  readonly digest: string;
  readonly name: string;
  readonly version: string;
  readonly manifest: unknown;
  readonly publisher: string;
  /** SHA-256 of each file of the bundle, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

/** The columns of a `Model`. */
export const MODEL_COLUMNS = [
  'digest',
  'name',
  'version',
  'publisher',
  'published',
  'status',
  'reason',
] as const;

/** Names the highest version that is not revoked, unless an alias of that name was set. */
const LATEST = 'latest';

const MOST_STATED = 40;

/** The bundles of a registry. */
export class Models {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Publishes a bundle, once `admit` has let it pass; publishing the same again changes nothing. Throws `conflict` for a
   * version that is taken, and `forbidden` for a name that somebody else published under first.
   */
  publish(model: NewModel, admit = () => {}): Promise<Model> {
    const { digest, name, version, publisher } = model;
    return this.catalog.write(async (transaction) => {
      const known = await this.#version(name, version, transaction);
      if (known?.digest === digest) return known;
      if (known) {
        throw new TacetError('conflict', `${name} ${version} is published; choose a new version`);
      }
      admit();
      const owner = await this.#ownerOf(name, transaction);
      if (owner !== undefined && owner !== publisher) throw ownedByAnother(name);
      const { sequence } = await this.log.append(transaction, 'model-published', digest, {
        name,
        version,
        publisher,
      });
      await insertModel(transaction, model, sequence);
      return this.get(name, version, transaction);
    });
  }

  /** By version or alias. Throws `not-found`. */
  async get(
    name: string,
    versionOrAlias: string,
    statements: Statements = this.catalog.read,
  ): Promise<Model> {
    const model =
      (await this.#version(name, versionOrAlias, statements)) ??
      (await this.#aliased(name, versionOrAlias, statements)) ??
      (versionOrAlias === LATEST ? await this.#highest(name, statements) : undefined);
    if (!model) throw new TacetError('not-found', `there is no model ${name} ${versionOrAlias}`);
    return model;
  }

  findByDigest(digest: string): Promise<Model | undefined> {
    return models(this.catalog.read).where('digest', '=', digest).executeTakeFirst();
  }

  /** All, newest last, or those whose name holds `search`. */
  list(search = ''): Promise<Model[]> {
    const { read } = this.catalog;
    return models(read)
      .where(({ ref }) => contains(read, ref('name'), search))
      .orderBy('published')
      .orderBy('name')
      .orderBy('version')
      .execute();
  }

  async manifestOf(digest: string): Promise<unknown> {
    const row = await this.catalog.read
      .selectFrom('models')
      .select('manifest')
      .where('digest', '=', digest)
      .executeTakeFirst();
    return row && JSON.parse(row.manifest);
  }

  async filesOf(digest: string): Promise<Record<string, string>> {
    const rows = await this.catalog.read
      .selectFrom('model_files')
      .select(['path', 'blob'])
      .where('model', '=', digest)
      .orderBy('path')
      .execute();
    return Object.fromEntries(rows.map(({ path, blob }) => [path, blob]));
  }

  /** Throws `conflict` where the file was replaced by somebody else meanwhile. */
  replaceFile(
    digest: string,
    path: string,
    { from, to }: { from: string; to: string },
  ): Promise<void> {
    return this.catalog.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('model_files')
        .set({ blob: to })
        .where('model', '=', digest)
        .where('path', '=', path)
        .where('blob', '=', from)
        .executeTakeFirst();
      if (numUpdatedRows === 0n)
        throw new TacetError('conflict', `${path} was replaced by another request; try again`);
      await this.log.append(transaction, 'model-file-replaced', digest, { path, from, to });
    });
  }

  async aliasesOf({ name, digest }: Model): Promise<string[]> {
    const rows = await this.catalog.read
      .selectFrom('aliases')
      .select('alias')
      .where('name', '=', name)
      .where('model', '=', digest)
      .orderBy('alias')
      .execute();
    return rows.map(({ alias }) => alias);
  }

  /**
   * Makes `alias` mean this version from now on, once `admit` has let that pass; where it means it already nothing
   * changes. Throws `not-found`, or `conflict` with a version.
   */
  setAlias(name: string, alias: string, version: string, admit = () => {}): Promise<Model> {
    return this.catalog.write(async (transaction) => {
      const model = await this.get(name, version, transaction);
      if (await this.#version(name, alias, transaction)) {
        throw new TacetError('conflict', `${alias} is a version of ${name}; choose another alias`);
      }
      if ((await this.#aliased(name, alias, transaction))?.digest === model.digest) return model;
      admit();
      await transaction
        .insertInto('aliases')
        .values({ name, alias, model: model.digest })
        .onConflict((conflict) =>
          conflict.columns(['name', 'alias']).doUpdateSet({ model: model.digest }),
        )
        .execute();
      const details = { name, alias, version: model.version };
      await this.log.append(transaction, 'alias-set', model.digest, details);
      return model;
    });
  }

  /** A revoked model stays revoked. Throws `not-found` or `conflict`. */
  setStatus(
    name: string,
    version: string,
    status: PublicationStatus,
    reason: string,
  ): Promise<Model> {
    return this.catalog.write(async (transaction) => {
      const model = await this.get(name, version, transaction);
      if (model.status === 'revoked' && status !== 'revoked') {
        throw new TacetError('conflict', `${name} ${model.version} is revoked for good`);
      }
      await transaction
        .updateTable('models')
        .set({ status, reason })
        .where('digest', '=', model.digest)
        .execute();
      await this.log.append(transaction, `model-${status}`, model.digest, { reason });
      return this.get(name, model.version, transaction);
    });
  }

  async #ownerOf(name: string, statements: Statements): Promise<string | undefined> {
    const first = await models(statements)
      .where('name', '=', name)
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst();
    return first?.publisher;
  }

  #version(name: string, version: string, statements: Statements): Promise<Model | undefined> {
    return models(statements)
      .where('name', '=', name)
      .where('version', '=', version)
      .executeTakeFirst();
  }

  #aliased(name: string, alias: string, statements: Statements): Promise<Model | undefined> {
    return models(statements)
      .where('digest', '=', (aliases) =>
        aliases
          .selectFrom('aliases')
          .select('model')
          .where('name', '=', name)
          .where('alias', '=', alias),
      )
      .executeTakeFirst();
  }

  async #highest(name: string, statements: Statements): Promise<Model | undefined> {
    const valid = await models(statements)
      .where('name', '=', name)
      .where('status', '<>', 'revoked')
      .execute();
    return valid.sort((a, b) => compareVersions(b.version, a.version))[0];
  }
}

/** A name belongs to whoever first published under it. */
export function ownedByAnother(name: string): TacetError {
  return new TacetError(
    'forbidden',
    `the model name ${name} belongs to another provider; choose another name`,
  );
}

function models(statements: Statements) {
  return statements.selectFrom('models').select(MODEL_COLUMNS);
}

async function insertModel(
  transaction: CatalogTransaction,
  { digest, name, version, publisher, manifest, files }: NewModel,
  sequence: number,
): Promise<void> {
  const { kind, training } = manifest as {
    kind?: unknown;
    training?: { language?: unknown } | null;
  };
  await transaction
    .insertInto('models')
    .values({
      ...{ digest, name, version, publisher, sequence },
      manifest: JSON.stringify(manifest),
      published: now(),
      kind: stated(kind),
      language: stated(training?.language),
    })
    .execute();
  for (const [path, blob] of Object.entries(files))
    await transaction.insertInto('model_files').values({ model: digest, path, blob }).execute();
}

/** What a list can be searched by. */
function stated(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return [...`${value}`].slice(0, MOST_STATED).join('');
}
