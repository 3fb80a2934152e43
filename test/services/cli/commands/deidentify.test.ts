import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import { WORDS } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const TEXT = 'alpha beta gamma.\n\ndelta epsilon zeta unknown 42.';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('tacet deidentify', () => {
  const site = publishedSite();
  let output: string;
  let count = 0;
  beforeAll(async () => {
    await writeFile(join(site.root, 'note.txt'), TEXT);
  });
  beforeEach(() => {
    output = join(site.root, `out-${count++}`);
  });

  const deidentify = (...options: readonly string[]) =>
    capturedRun(
      ...[
        '--json',
        'deidentify',
        join(site.root, 'note.txt'),
        output,
        '--model',
        site.publisher.pipeline,
      ],
      ...['--trust', site.publisher.publicKeyFile, '--embeddings', site.publisher.embeddingsFile],
      ...options,
    );

  test.each([
    ['text', 'mask', ['note.txt']],
    ['brat', 'annotate', ['note.ann', 'note.txt']],
    ['i2b2', 'tag', ['note.xml']],
  ])('writes %s with policy %s', async (format, policy, names) => {
    const { exit, stdout } = await deidentify('--format', format, '--policy', policy);
    expect(exit).toBe(0);
    expect(await readdir(output)).toEqual(names);
    const documents = [];
    for await (const document of readCorpus(output)) documents.push(document);
    expect(documents).toHaveLength(1);
    const [{ text, spans } = { text: '', spans: [] }] = documents;
    if (format !== 'text') expect(spans).toHaveLength(JSON.parse(stdout).spans);
    if (policy !== 'tag') expect(text).toHaveLength(TEXT.length);
    expect(await modeOf(output)).toBe(0o700);
    for (const name of names) expect(await modeOf(join(output, name))).toBe(0o600);
  });

  test('says that names of files hold PHI where they do, and not which', async () => {
    const folder = join(site.root, 'named');
    await mkdir(folder);
    for (const name of ['visit_of_2015-03-04.txt', 'note-1.txt'])
      await writeFile(join(folder, name), 'Seen on 2015-03-04.\n');
    const { exit, stderr } = await capturedRun(
      ...['deidentify', folder, output, '--model', site.publisher.pipeline, '--format', 'text'],
      ...['--trust', site.publisher.publicKeyFile, '--embeddings', site.publisher.embeddingsFile],
    );
    expect(exit).toBe(0);
    expect(stderr).toContain('1 of 2 ids or names of files have words of the PHI');
    expect(stderr).not.toContain('2015');
  });

  test('says a threshold that was chosen by dev notes so that as much is found with it', async () => {
    const dev = join(site.root, 'dev.jsonl');
    const notes = WORDS.map((word) => {
      const spans = [{ start: 0, end: word.length, label: 'PHI' }];
      return JSON.stringify({ text: `${word} beta gamma.`, spans });
    });
    await writeFile(dev, notes.join('\n'));
    for (const recall of ['0.1', '1']) {
      output = join(site.root, `out-${count++}`);
      const { stdout, stderr } = await deidentify('--dev', dev, '--recall', recall);
      const { threshold } = JSON.parse(stdout);
      const said = Number(/threshold (\S+): recall/.exec(stderr)?.[1]);
      expect(said).toBeLessThanOrEqual(threshold);
      expect(said).toBeCloseTo(threshold, 2);
    }
  });

  test('writes jsonl into a file', async () => {
    expect(await deidentify('--format', 'jsonl')).toMatchObject({ exit: 0 });
    const lines = (await readFile(output, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['note']);
  });

  test.each([
    ['label-studio-predictions', 'label-studio'],
    ['bioc', 'bioc'],
    ['bioc-json', 'bioc-json'],
  ] as const)('writes %s into a file that is whole', async (format, readAs) => {
    expect(await deidentify('--format', format, '--policy', 'annotate')).toMatchObject({ exit: 0 });
    const documents = [];
    for await (const document of readCorpus(output, { format: readAs })) documents.push(document);
    expect(documents.map(({ id, text }) => [id, text])).toEqual([['note', TEXT]]);
  });

  test('writes xmi of several notes beside one type system', async () => {
    const notes = join(site.root, 'notes');
    await mkdir(notes);
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(notes, name), TEXT);
    expect(await records(notes, '--format', 'xmi')).toMatchObject({ exit: 0 });
    expect(await readdir(output)).toEqual(['TypeSystem.xml', 'a.xmi', 'b.xmi']);
  });

  const records = (input: string, ...options: readonly string[]) =>
    capturedRun(
      ...['--json', 'deidentify', input, output, '--model', site.publisher.pipeline],
      ...['--trust', site.publisher.publicKeyFile, '--embeddings', site.publisher.embeddingsFile],
      ...options,
    );

  test('takes PHI out of FHIR under the same names, bulk and single, and counts what it removed', async () => {
    const input = join(site.root, 'fhir');
    await mkdir(join(input, 'bulk'), { recursive: true });
    const patient = {
      resourceType: 'Patient',
      id: 'p',
      birthDate: '1980-05-06',
      name: [{ text: 'A' }],
    };
    const data = Buffer.from(`Call ann.lee@example.com. ${TEXT}`).toString('base64');
    const note = {
      ...{
        resourceType: 'DocumentReference',
        status: 'current',
        subject: { reference: 'Patient/p' },
      },
      content: [{ attachment: { contentType: 'text/plain', data } }],
    };
    const lines = [patient, note, { resourceType: 'Parameters' }].map((each) =>
      JSON.stringify(each),
    );
    await writeFile(join(input, 'bulk', 'all.ndjson'), `${lines.join('\n')}\n`);
    await writeFile(join(input, 'one.json'), JSON.stringify(patient));
    const entry = [patient, { resourceType: 'Parameters' }].map((resource) => ({ resource }));
    const bundle = { resourceType: 'Bundle', type: 'collection', entry };
    await writeFile(join(input, 'some.json'), JSON.stringify(bundle));
    expect(await records(input, '--format', 'fhir')).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(/record-unsupported.*all\.ndjson:3: \/: Parameters is no/),
    });
    expect(await readdir(join(output, 'bulk'))).toEqual([]);
    const { exit, stdout, stderr } = await records(input, '--format', 'fhir', '--skip-bad');
    expect(exit).toBe(0);
    const left = { resourceType: 'Parameters', code: 'record-unsupported' };
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ files: 3, records: 5, bad: 1, removed: { identifying: 3, entries: 1 } },
      leftOut: [
        { file: join('bulk', 'all.ndjson'), line: 3, ...left },
        { file: 'some.json', pointer: '/entry/1', ...left },
      ],
    });
    expect(stderr).toMatch(/left out .*all\.ndjson:3: Parameters: record-unsupported\n/);
    expect(stderr).toMatch(/left out some\.json: \/entry\/1: Parameters: record-unsupported\n/);
    expect(JSON.parse(await readFile(join(output, 'some.json'), 'utf8')).entry).toHaveLength(1);
    const written = await readFile(join(output, 'bulk', 'all.ndjson'), 'utf8');
    const [first, second] = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(JSON.parse(await readFile(join(output, 'one.json'), 'utf8'))).toEqual(first);
    expect(second.subject.reference).toBe(`Patient/${first.id}`);
    const text = Buffer.from(second.content[0].attachment.data, 'base64').toString();
    expect(text).toContain('[');
    expect(text).not.toContain('ann.lee');
    expect(await modeOf(join(output, 'bulk', 'all.ndjson'))).toBe(0o600);
    expect([await modeOf(output), await modeOf(join(output, 'bulk'))]).toEqual([0o700, 0o700]);
  });

  test('takes PHI out of CDA', async () => {
    const input = join(site.root, 'a.xml');
    await writeFile(
      input,
      '<ClinicalDocument xmlns="urn:hl7-org:v3"><title>ann.lee@example.com</title>' +
        '<recordTarget><patientRole><id root="1.2" extension="7"/><addr>A</addr></patientRole></recordTarget></ClinicalDocument>',
    );
    expect(await records(input, '--format', 'cda')).toMatchObject({ exit: 0 });
    expect(await readFile(join(output, 'a.xml'), 'utf8')).toMatch(
      /<title>\[[^\]]+\]<\/title>.*<id root="1\.2" extension="[0-9a-f]{32}"\/><addr nullFlavor="MSK"\/>/,
    );
  });

  test('writes files of an annotation tool back with the layers that they held', async () => {
    const input = join(site.root, 'layers');
    await mkdir(join(input, 'first'), { recursive: true });
    const text = 'Fever. Mail ann.lee@example.com today.';
    const line = { id: 3, text, label: [[0, 5, 'FINDING']], meta: { by: 'ann lee' } };
    await writeFile(join(input, 'first', 'a.jsonl'), `${JSON.stringify(line)}\n`);
    await writeFile(join(input, 'bad.jsonl'), '{"text": 1}\n');
    await symlink('nowhere', join(input, 'lost.jsonl'));
    const options = ['--format', 'doccano', '--layers', '--skip-bad'];
    const { exit, stdout } = await records(input, ...options);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ files: 1, documents: 1, removed: 1, bad: 2 });
    expect(JSON.parse(stdout).leftOut).toEqual([
      { file: 'bad.jsonl', code: 'corpus-invalid' },
      { file: 'lost.jsonl', code: 'file-not-found' },
    ]);
    const written = await readFile(join(output, 'first', 'a.jsonl'), 'utf8');
    expect(written).not.toMatch(/ann|lee/);
    expect(JSON.parse(written).label[0]).toEqual([0, 5, 'FINDING']);
    output = `${output}-annotated`;
    expect(await records(input, ...options, '--policy', 'annotate')).toMatchObject({ exit: 0 });
    const annotated = JSON.parse(await readFile(join(output, 'first', 'a.jsonl'), 'utf8'));
    expect(annotated).toMatchObject({ ...line, label: expect.arrayContaining(line.label) });
    expect(annotated.label.length).toBeGreaterThan(1);
    expect(await modeOf(join(output, 'first', 'a.jsonl'))).toBe(0o600);
  });

  test('says that XMI needs its types beside it, which are not written', async () => {
    const input = join(site.root, 'cas');
    await mkdir(input);
    const xmi =
      '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmi:version="2.0">' +
      '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="Fever."/>' +
      '<cas:View sofa="1" members=""/></xmi:XMI>';
    await writeFile(join(input, 'a.xmi'), xmi);
    const { exit, stderr } = await records(input, '--format', 'xmi', '--layers');
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/copy TypeSystem\.xml to .*NamedEntity/),
    ]);
  });

  test.each([
    [['--format', 'brat', '--layers'], /--layers: brat is not written back/],
    [['--format', 'doccano', '--layers', '--resume'], /--resume does not go with/],
    [['--format', 'fhir', '--policy', 'annotate'], /--policy annotate leaves texts/],
    [['--format', 'cda', '--resume'], /--resume does not go with/],
    [['--format', 'cda', '--layers'], /--layers does not go with/],
    [['--format', 'fhir', '--layers'], /--layers does not go with/],
  ])('refuses %j', async (options, message) => {
    expect(await deidentify(...options)).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(message),
    });
  });

  test('writes nothing where two notes have one id, and names both', async () => {
    const input = join(site.root, 'same-ids');
    await mkdir(join(input, 'first'), { recursive: true });
    await writeFile(join(input, 'first', 'n.txt'), TEXT);
    await writeFile(join(input, 'n.txt'), TEXT);
    expect(await records(input, '--format', 'text')).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(
        /corpus-invalid.*\/same-ids\/n\.txt: has the id of \S+first\/n\.txt, /,
      ),
    });
    for (const path of [output, `${output}.unfinished`])
      await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await records(input, '--format', 'jsonl')).toMatchObject({ exit: 0 });
  });

  test('never writes over a file', async () => {
    await deidentify();
    expect(await deidentify()).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(/file-exists/),
    });
  });

  test('refuses to call text without any removal de-identified', async () => {
    expect(await deidentify('--policy', 'annotate')).toMatchObject({ exit: 2 });
  });

  test('refuses a bundle that is no pipeline', async () => {
    const { exit, stderr } = await capturedRun(
      ...['deidentify', site.root, output, '--model', site.publisher.representation],
      ...['--trust', site.publisher.publicKeyFile, '--embeddings', site.publisher.embeddingsFile],
    );
    expect(exit).toBe(4);
    expect(stderr).toMatch(/model-unsuitable.*expected a pipeline bundle/);
  });
});
