import type { Command } from 'commander';
import { useBackend } from '../../models/tensor/backend.js';

/** The tensor backend that `--backend` names, a global option. */
export function backendOf(command: Command): string | undefined {
  return command.optsWithGlobals<{ backend?: string }>().backend;
}

/** Makes it the one that computes; returns the name of that. Throws as `useBackend` does. */
export function useBackendOf(command: Command): Promise<string> {
  return useBackend(backendOf(command));
}
