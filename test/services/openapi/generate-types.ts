import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';

/** generate-types.js DOCUMENT TYPES: the TypeScript types of an OpenAPI document. */
const [document = '', types = ''] = process.argv.slice(2);

register('./typescript-hooks.js', import.meta.url);
const { default: openapiTS, astToString } = await import('openapi-typescript');
writeFileSync(types, astToString(await openapiTS(JSON.parse(readFileSync(document, 'utf8')))));
