import type { Command } from 'commander';

/** Loads one command; `words` are those of the command line after its name. */
export type Loader = (words: readonly string[]) => Promise<Command>;

/** How to load each command of a group, by its name. */
export type Loaders = Readonly<Record<string, Loader>>;

/**
 * Adds to a group the command that the words after the group's name begin with, or all where they name none. Where words
 * need name none, `usual` is the command that others go to. What a command imports takes longer than many a task, and is
 * not loaded for another.
 */
export async function withNamed(
  group: Command,
  loaders: Loaders,
  words: readonly string[],
  usual?: string,
): Promise<Command> {
  const at = placeOfName(words);
  const named = Object.hasOwn(loaders, words[at] ?? '') ? words[at] : undefined;
  const only = named ?? (at < words.length ? usual : undefined);
  const rest = named === undefined ? words : words.slice(at + 1);
  for (const [name, load] of Object.entries(loaders)) {
    if (only !== undefined && name !== only) continue;
    group.addCommand(await load(rest), { isDefault: name === usual });
  }
  return group;
}

/** Of the first word that is neither an option of the program nor the value of one; the number of words if there is none. */
export function placeOfName(words: readonly string[]): number {
  const found = words.findIndex(
    (word, at) => !word.startsWith('-') && words[at - 1] !== '--backend',
  );
  return found < 0 ? words.length : found;
}
