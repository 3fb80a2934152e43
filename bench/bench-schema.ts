import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { CatalogPlace } from '../pool-store/catalog/open-catalog.js';

/** A schema of a bench's own on a server of PostgreSQL. */
export class BenchSchema {
  private constructor(
    private readonly server: string,
    private readonly name: string,
  ) {}

  static async on(server: string): Promise<BenchSchema> {
    const schema = new BenchSchema(server, `bench${randomBytes(8).toString('hex')}`);
    await schema.query(`CREATE SCHEMA ${schema.name}`);
    return schema;
  }

  get place(): CatalogPlace {
    return { url: `${this.server}?options=-c%20search_path%3D${this.name}`, connections: 4 };
  }

  /** Of the whole database. */
  async bytes(): Promise<number> {
    const [row] = await this.query('SELECT pg_database_size(current_database()) AS bytes');
    return Number(row?.bytes);
  }

  async drop(): Promise<void> {
    await this.query(`DROP SCHEMA ${this.name} CASCADE`);
  }

  private async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.server });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
}
