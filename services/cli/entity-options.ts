import { type Command, InvalidArgumentError, Option } from 'commander';
import { SUSPECT_TREATMENTS } from '../institution/release/suspects/second-reader.js';
import { READER_THRESHOLD } from '../workflows/entity-terms.js';
import { parseShare } from './share.js';

/** What becomes of labelled entities. */
export function withTreatmentOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--entities <what>',
        'replace labelled entities by public ones before encoding, as by default, or keep them, as in the paper',
      ).choices(['replace', 'keep']),
    )
    .option(
      '--keep <types>',
      'keep entities of these types, by commas, under the certified limit: of those that describe, as far as the policy allows',
      typeList,
    )
    .option(
      '--inventory <file>',
      "public entities to replace by, by default the bundle's own (tacet inventory create)",
    );
}

function typeList(text: string): string[] {
  const types = text.split(',').map((type) => type.trim());
  if (types.every((type) => /^[A-Za-z0-9_:.-]{1,64}$/.test(type))) return types;
  throw new InvalidArgumentError('expected names of types of the label scheme, by commas');
}

/** Who looks for names that nobody labelled, and what becomes of them. */
export function withReadingOptions(command: Command): Command {
  return withSuspectOptions(
    command.option(
      '--reader <pipeline>',
      'reads the notes once more for names that nobody labelled',
    ),
  );
}

/** What becomes of what a reader finds. */
export function withSuspectOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--suspects <what>',
        'report what it finds, label and replace it, as by default, or withhold the sentence',
      ).choices(SUSPECT_TREATMENTS),
    )
    .option(
      '--reader-threshold <share>',
      `the reader suspects a token from this probability on (default: ${READER_THRESHOLD})`,
      parseShare,
    );
}
