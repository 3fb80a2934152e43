import type { ResolveHook } from 'node:module';

/**
 * openapi-typescript writes types with the compiler's JavaScript interface, which TypeScript has had no more since
 * version 7; that of the version before comes in @ts-morph/common.
 */
export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === 'typescript'
    ? { url: new URL('./typescript-api.js', import.meta.url).href, shortCircuit: true }
    : next(specifier, context);
