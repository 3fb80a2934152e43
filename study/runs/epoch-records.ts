import {
  EPOCH_RECORD,
  type EpochRecord,
  metricsFile,
} from '../../models/training/run/metrics-file.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import { validator } from '../../proto/validator.js';

const checkRecord = validator(EPOCH_RECORD, 'file-unreadable', 'an epoch');

/**
 * The lines of a directory's `metrics.jsonl`; none where there is no such file. A last line that was
 * not written to its end is left out. Throws `file-unreadable`, naming the line where it is one of them.
 */
export async function epochsOf(directory: string): Promise<EpochRecord[]> {
  const file = metricsFile(directory);
  const lines = ((await textIfThere(file)) ?? '').split('\n');
  const last = lines.length - 1;
  return lines.flatMap((line, i) => {
    if (line === '' || (i === last && !isJson(line))) return [];
    return [recordOf(line, `${file}, line ${i + 1}`)];
  });
}

function recordOf(line: string, where: string): EpochRecord {
  if (!isJson(line))
    throw new TacetError(
      'file-unreadable',
      `${where}: expected the JSON record of an epoch; take the line out, or train the run again`,
    );
  try {
    return checkRecord(JSON.parse(line));
  } catch (cause) {
    const why = cause instanceof TacetError ? cause.message : 'expected the record of an epoch';
    throw new TacetError('file-unreadable', `${where}: ${why}`, { cause });
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
