/** What holds memory that no garbage collector frees: a network's weights, a tensor. */
export interface HeldMemory {
  dispose(): void;
}

/** Does work for which `held` is made, meanwhile too: where it breaks off, nothing of that stays in memory. */
export async function freeOnError<T>(
  held: readonly HeldMemory[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    free(held);
    throw error;
  }
}

/** Does the last work with what is held, and frees it whether it ends or breaks off. */
export async function freeAfter<T>(
  held: readonly HeldMemory[],
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    free(held);
  }
}

function free(held: readonly HeldMemory[]): void {
  for (const each of held) each.dispose();
}
