/**
 * What schemas are written with. `make build` puts what this module names into the built file itself: read from typebox's own
 * some 370 files they take every command, and every thread besides, a third of a second.
 */
export {
  type Static,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from 'typebox';
