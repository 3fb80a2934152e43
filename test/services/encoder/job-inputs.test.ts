import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { outgoing } from '../institution/notes.js';
import { ended, NOTES, post, ServedEncoder } from './served-encoder.js';

describe('what jobs of the encoder read', () => {
  const encoder = new ServedEncoder();
  const serving: ServedEncoder['serving'] = (...given) => encoder.serving(...given);

  test.each(['../outside.jsonl', 'link.jsonl', 'nothing', '/etc/hostname'])(
    'reads nothing outside the input directory: %s',
    (input) =>
      serving(async (url) => {
        expect((await post(`${url}/v1/jobs`, { input })).status).toBe(404);
      }),
  );

  test.each(['folder', 'file'])('reads nothing through a link to a %s outside', async (kind) => {
    const elsewhere = await mkdtemp(join(encoder.root, 'elsewhere-'));
    await writeFile(join(elsewhere, 'notes.jsonl'), JSON.stringify(NOTES[0]));
    const folder = await mkdtemp(join(encoder.root, 'input', 'linked-'));
    await mkdir(join(folder, 'deep'));
    const target = kind === 'folder' ? elsewhere : join(elsewhere, 'notes.jsonl');
    await symlink(target, join(folder, 'deep', `link${kind === 'folder' ? '' : '.jsonl'}`));
    await symlink(folder, join(folder, 'round'));
    await serving(async (url) => {
      const { status, body } = await post(`${url}/v1/jobs`, {
        input: basename(folder),
        withoutPhi: true,
      });
      expect(status).toBe(404);
      expect(JSON.stringify(body)).not.toContain('elsewhere');
      expect(await (await fetch(`${url}/v1/jobs`)).json()).toEqual([]);
    });
    await rm(folder, { recursive: true });
  });

  test('reads no annotations through a link to a file outside', async () => {
    const folder = await mkdtemp(join(encoder.root, 'input', 'brat-'));
    await writeFile(join(folder, 'a.txt'), 'alpha beta');
    await symlink(join(encoder.root, 'outside.jsonl'), join(folder, 'a.ann'));
    await serving(async (url) => {
      const { status } = await post(`${url}/v1/jobs`, {
        input: `${basename(folder)}/a.txt`,
        withoutPhi: true,
      });
      expect(status).toBe(404);
    });
    await rm(folder, { recursive: true });
  });

  test('refuses files of which no note has a labelled entity, unless somebody says that they hold no PHI', async () => {
    encoder.moveHome();
    await serving(async (url) => {
      const begun = async (job: object) => {
        const { id } = (await post(`${url}/v1/jobs`, job)).body;
        return (await ended(url, id)).at(-1);
      };
      expect(await begun({ input: 'notes.jsonl' })).toMatchObject({
        state: 'failed',
        problem: { code: 'entities-missing', detail: expect.stringContaining('withoutPhi') },
      });
      expect((await outgoing(encoder.home)).size).toBe(0);
      expect(await begun({ input: 'notes.jsonl', withoutPhi: true })).toMatchObject({
        state: 'done',
      });
    });
  });

  test('tells the number of a document that cannot be read, and no name of it', async () => {
    const folder = await mkdtemp(join(encoder.root, 'input', 'named-'));
    await writeFile(join(folder, 'a.jsonl'), JSON.stringify(NOTES[0]));
    await writeFile(join(folder, 'Doe-Jane.jsonl'), '{"text": "x", "spans": []}\n{');
    await serving(async (url) => {
      for (const input of [basename(folder), `${basename(folder)}/Doe-Jane.jsonl`]) {
        const { id } = (await post(`${url}/v1/jobs`, { input })).body;
        expect((await ended(url, id)).at(-1)).toMatchObject({
          state: 'failed',
          problem: { code: 'corpus-invalid', detail: expect.stringMatching(/^file 1:2: expected/) },
        });
        const files = await readFile(join(encoder.home, 'jobs', `${id}.json`), 'utf8');
        const shown = JSON.stringify(await (await fetch(`${url}/v1/jobs`)).json());
        for (const text of [files, shown]) expect(text).not.toMatch(/Doe|named-/);
      }
    });
    await rm(folder, { recursive: true });
  });

  test('says which of the documents that were sent has a type that the scheme lacks', () =>
    serving(async (url) => {
      const spans = [{ start: 0, end: 1, label: 'SHIRT_SIZE' }];
      const documents = [NOTES[0], { text: 'a note', spans }];
      expect((await post(`${url}/v1/encode`, { documents })).body).toMatchObject({
        code: 'label-unknown',
        detail: expect.stringMatching(/^document 1: label scheme .* has no SHIRT_SIZE/),
      });
    }));

  test('says of a folder without a document what it expects, and not how it is called', async () => {
    const folder = await mkdtemp(join(encoder.root, 'input', 'Doe-Jane-'));
    await writeFile(join(folder, 'Doe.docx'), '');
    await serving(async (url) => {
      const { id } = (await post(`${url}/v1/jobs`, { input: basename(folder) })).body;
      const view = (await ended(url, id)).at(-1);
      expect(view).toMatchObject({
        problem: {
          code: 'corpus-invalid',
          detail: expect.stringMatching(/^the input: there are no documents; expected \.xml/),
        },
      });
      expect(JSON.stringify(view)).not.toContain('Doe');
    });
    await rm(folder, { recursive: true });
  });

  test('waits for nothing that is no file: neither what is asked for nor what lies in a folder', async () => {
    const folder = await mkdtemp(join(encoder.root, 'input', 'piped-'));
    execFileSync('mkfifo', [join(folder, 'notes.jsonl')]);
    await serving(async (url) => {
      const named = await post(`${url}/v1/jobs`, { input: `${basename(folder)}/notes.jsonl` });
      expect(named).toMatchObject({ status: 400, body: { code: 'file-unreadable' } });
      const { id } = (await post(`${url}/v1/jobs`, { input: basename(folder) })).body;
      expect((await ended(url, id)).at(-1)).toMatchObject({
        state: 'failed',
        problem: { code: 'file-unreadable' },
      });
    });
    await rm(folder, { recursive: true });
  });
});
