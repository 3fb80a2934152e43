import { Command } from 'commander';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { encode } from '../../encoder/encode.js';
import { openEncodingModel } from '../../encoder/encoding-model.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';

interface EncodeCommandOptions {
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly home: string;
  readonly scheme?: string;
  readonly skipBad?: boolean;
}

/** `tacet encode`: labelled notes to noisy vectors, here, each sentence once. */
export function encodeCommand(): Command {
  return new Command('encode')
    .description('turn labelled notes into noisy vectors, ready to contribute')
    .argument('<input>', 'file or directory of labelled notes')
    .requiredOption('--model <bundle>', 'representation bundle')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .requiredOption('--embeddings <file>', 'the word vectors that the bundle names, or wink')
    .requiredOption('--home <directory>', 'ledger and outbox of this institution; keep it')
    .option('--scheme <name>', "label scheme, by default the bundle's own")
    .option('--skip-bad', 'leave out documents that cannot be read')
    .action(run);
}

async function run(input: string, options: EncodeCommandOptions, command: Command): Promise<void> {
  const { signal, progress, say, result } = contextOf(command);
  await useBackend(command.optsWithGlobals().backend);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const model = await openEncodingModel(options.model, {
    trustedKeys: await readTrustedKeys(options.trust),
    embeddings,
    scheme: options.scheme,
  });
  let bad = 0;
  const documents = readCorpus(input, {
    skipBad: options.skipBad ?? false,
    onBad: () => bad++,
    signal,
  });
  const report = await encode(documents, model, options.home, { signal, progress });
  if (bad > 0) say(`left out ${bad} documents that could not be read`);
  result({ ...report, bad }, [
    `documents  ${report.documents}`,
    `sentences  ${report.sentences}: ${report.released} encoded, ` +
      `${report.skipped} left out because they were released before`,
    `tokens     ${report.tokens}`,
    `outbox     ${report.segments.length} new segments, ${report.bytes} bytes`,
  ]);
}
