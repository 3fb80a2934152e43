import { Type } from 'typebox';
import { TacetError } from '../proto/errors.js';
import { PUBLICATION_STATUSES, type PublicationStatus } from '../proto/publication.js';
import { DIGEST, NAME, TIME, VERSION } from '../proto/schemas.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../proto/typed-schema.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';

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

const COLUMNS = 'digest, name, version, publisher, published, status, reason';

/** Names the newest version that is not revoked, unless an alias of that name was set. */
const LATEST = 'latest';

/** The bundles of a registry. */
export class Models {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /** Publishing the same bundle again changes nothing. Throws `conflict` for a version that is taken. */
  publish(model: NewModel): Model {
    const { digest, name, version, publisher } = model;
    return inTransaction(this.catalog, () => {
      const known = this.#version(name, version);
      if (known?.digest === digest) return known;
      if (known) {
        throw new TacetError('conflict', `${name} ${version} is published; choose a new version`);
      }
      this.catalog.run(
        `INSERT INTO models (digest, name, version, manifest, publisher, published)
           VALUES (?, ?, ?, ?, ?, ?)`,
        digest,
        name,
        version,
        JSON.stringify(model.manifest),
        publisher,
        now(),
      );
      for (const [path, blob] of Object.entries(model.files)) {
        this.catalog.run('INSERT INTO model_files VALUES (?, ?, ?)', digest, path, blob);
      }
      this.log.append('model-published', digest, { name, version, publisher });
      return this.get(name, version);
    });
  }

  /** By version or alias. Throws `not-found`. */
  get(name: string, versionOrAlias: string): Model {
    const model =
      this.#version(name, versionOrAlias) ??
      this.#aliased(name, versionOrAlias) ??
      (versionOrAlias === LATEST ? this.#newest(name) : undefined);
    if (!model) throw new TacetError('not-found', `there is no model ${name} ${versionOrAlias}`);
    return model;
  }

  findByDigest(digest: string): Model | undefined {
    return this.catalog.get<Model>(`SELECT ${COLUMNS} FROM models WHERE digest = ?`, digest);
  }

  /** All, newest last, or those whose name holds `search`. */
  list(search = ''): Model[] {
    return this.catalog.all<Model>(
      `SELECT ${COLUMNS} FROM models WHERE instr(name, ?) > 0 ORDER BY published, name, version`,
      search,
    );
  }

  manifestOf(digest: string): unknown {
    const row = this.catalog.get<{ manifest: string }>(
      'SELECT manifest FROM models WHERE digest = ?',
      digest,
    );
    return row && JSON.parse(row.manifest);
  }

  filesOf(digest: string): Record<string, string> {
    const rows = this.catalog.all<{ path: string; blob: string }>(
      'SELECT path, blob FROM model_files WHERE model = ? ORDER BY path',
      digest,
    );
    return Object.fromEntries(rows.map(({ path, blob }) => [path, blob]));
  }

  /** Throws `conflict` where the file was replaced by somebody else meanwhile. */
  replaceFile(digest: string, path: string, { from, to }: { from: string; to: string }): void {
    inTransaction(this.catalog, () => {
      const sql = 'UPDATE model_files SET blob = ? WHERE model = ? AND path = ? AND blob = ?';
      if (this.catalog.run(sql, to, digest, path, from) === 0)
        throw new TacetError('conflict', `${path} was replaced by another request; try again`);
      this.log.append('model-file-replaced', digest, { path, from, to });
    });
  }

  aliasesOf({ name, digest }: Model): string[] {
    return this.catalog
      .all<{ alias: string }>(
        'SELECT alias FROM aliases WHERE name = ? AND model = ? ORDER BY alias',
        name,
        digest,
      )
      .map(({ alias }) => alias);
  }

  /** Makes `alias` mean this version from now on. Throws `not-found`, or `conflict` with a version. */
  setAlias(name: string, alias: string, version: string): Model {
    return inTransaction(this.catalog, () => {
      const model = this.get(name, version);
      if (this.#version(name, alias)) {
        throw new TacetError('conflict', `${alias} is a version of ${name}; choose another alias`);
      }
      this.catalog.run(
        'INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)',
        name,
        alias,
        model.digest,
      );
      this.log.append('alias-set', model.digest, { name, alias, version: model.version });
      return model;
    });
  }

  /** A revoked model stays revoked. Throws `not-found` or `conflict`. */
  setStatus(name: string, version: string, status: PublicationStatus, reason: string): Model {
    return inTransaction(this.catalog, () => {
      const model = this.get(name, version);
      if (model.status === 'revoked' && status !== 'revoked') {
        throw new TacetError('conflict', `${name} ${model.version} is revoked for good`);
      }
      this.catalog.run(
        'UPDATE models SET status = ?, reason = ? WHERE digest = ?',
        status,
        reason,
        model.digest,
      );
      this.log.append(`model-${status}`, model.digest, { reason });
      return this.get(name, model.version);
    });
  }

  #version(name: string, version: string): Model | undefined {
    return this.catalog.get<Model>(
      `SELECT ${COLUMNS} FROM models WHERE name = ? AND version = ?`,
      name,
      version,
    );
  }

  #aliased(name: string, alias: string): Model | undefined {
    return this.catalog.get<Model>(
      `SELECT ${COLUMNS} FROM models
         WHERE digest = (SELECT model FROM aliases WHERE name = ? AND alias = ?)`,
      name,
      alias,
    );
  }

  #newest(name: string): Model | undefined {
    return this.catalog.get<Model>(
      `SELECT ${COLUMNS} FROM models WHERE name = ? AND status <> 'revoked'
         ORDER BY published DESC, rowid DESC LIMIT 1`,
      name,
    );
  }
}
