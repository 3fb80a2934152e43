import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const FOLDERS = [
  'bench',
  'clients',
  'models',
  'platform',
  'pool-store',
  'proto',
  'services',
  'setup',
  'study',
];
const SOURCE = /\.(ts|js|cc|h|proto|py)$/;

/** `docs/design.md`, `docs/design.md, Speed` or `docs/design.md (Speed)`. */
const CITATION = /\b(docs(?:\/[a-z-]+)+\.md)(?:(?:, | \()([A-Z][a-z]+))?/g;
/** A document by its bare name, which no reader finds. */
const UNFOUND = /\b(?<!docs\/)[A-Z]{3,}\.md\b/g;
/** At the root, and in every bundle. */
const KNOWN = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'MODEL_CARD.md', 'RESULTS.md'];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE.test(file))
    .map((file) => path.join(folder, file)),
);

test('a document that a source cites is in the repository, and has the section', () => {
  const broken = sources.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const cited = [...text.matchAll(CITATION)].filter(([, document = '', section]) => {
      if (!existsSync(path.join(ROOT, document))) return true;
      if (section === undefined) return false;
      const headings = readFileSync(path.join(ROOT, document), 'utf8').match(/^#+ .*$/gm) ?? [];
      return !headings.some((heading) => heading.includes(section));
    });
    const unfound = [...text.matchAll(UNFOUND)].filter(([name]) => !KNOWN.includes(name));
    return [...cited, ...unfound].map(([citation]) => `${file}: ${citation}`);
  });
  expect(broken).toEqual([]);
});

/** In Markdown, a file by its path from the root. */
const NAMED_FILE = new RegExp(`\`((?:${FOLDERS.join('|')})(?:/[\\w.-]+)+\\.[a-z]+)\``, 'g');

test('a file that a document names by its path is in the repository', () => {
  const documents = ['.', 'docs', 'docs/results', 'clients/python', 'deploy', 'study'].flatMap(
    (folder) =>
      readdirSync(path.join(ROOT, folder))
        .filter((file) => file.endsWith('.md'))
        .map((file) => path.join(folder, file)),
  );
  const named = documents.flatMap((document) =>
    [...readFileSync(path.join(ROOT, document), 'utf8').matchAll(NAMED_FILE)].map(
      ([, file = '']) => `${document}: ${file}`,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((each) => !existsSync(path.join(ROOT, each.split(': ')[1] ?? '')))).toEqual(
    [],
  );
});
