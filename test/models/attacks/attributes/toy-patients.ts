import type { Patient } from '../../../../models/attacks/attributes/patient.js';
import type { AuditTarget } from '../../../../models/attacks/target.js';
import type { TextExample } from '../../../../models/training/data/examples.js';
import { type ToyOptions, toyTarget } from '../toy-target.js';

const FEMALE = ['berta', 'carla', 'frida'];

/** Toy notes with one name a sentence, whose patients have the sex of their name. */
export async function toyPatients(options: ToyOptions): Promise<AuditTarget> {
  const target = await toyTarget({ sentences: [240, 60, 200], ...options });
  const oneName = (examples: readonly TextExample[]) =>
    examples.filter(({ labels }) => labels.filter((label) => label > 0).length === 1);
  const parts = {
    train: oneName(target.train),
    validation: oneName(target.validation),
    test: oneName(target.test),
  };
  const sexOf = ({ ids, labels }: TextExample): Patient => {
    const name = target.vocabulary.wordOf(ids[labels.findIndex((label) => label > 0)]);
    return { sex: FEMALE.includes(name ?? '') ? 'female' : 'male' };
  };
  const all = Object.values(parts).flat();
  const patients = new Map(all.map((example) => [example, sexOf(example)]));
  return { ...target, ...parts, patients, labels: ['O', 'B-PATIENT', 'I-PATIENT'] };
}
