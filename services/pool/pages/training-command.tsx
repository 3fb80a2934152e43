import type { Request } from 'express';
import type { VNode } from 'preact';
import { Command } from '../../../platform/pages/command.js';

interface TrainingCommandProps {
  /** That asked for the page: it came by an address of this pool. */
  readonly request: Request;
  readonly id: string;
}

/** How to train on a snapshot. */
export function TrainingCommand({ request, id }: TrainingCommandProps): VNode {
  const options = [
    `--pool ${addressOf(request)} --snapshot ${id} --token-file trainer.token`,
    '--model representation --trust provider-keys/public.pem --embeddings wink --out pooled',
  ];
  return (
    <>
      <h2>To train on it</h2>
      <Command>tacet train pooled {options.join(' ')}</Command>
    </>
  );
}

/** What cannot be part of a command as it stands is left to whoever copies it. */
function addressOf({ protocol, headers: { host = '' } }: Request): string {
  return /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : 'URL';
}
