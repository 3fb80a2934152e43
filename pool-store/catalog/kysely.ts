/**
 * What statements are written with. `make build` puts what this module names into the built file itself: kysely's own
 * some 260 files would be a tenth of what a server loads before it answers.
 */
export {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Expression,
  type Generated,
  type Insertable,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type Transaction,
  type TransactionSettings,
  type Updateable,
} from 'kysely';
