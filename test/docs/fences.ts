/** A fenced block of a Markdown document. */
export interface Fence {
  /** What stands after the three backticks: a language, and the name of a file that the block shows. */
  readonly info: string;
  /** Of its first line in the document, from 1. */
  readonly line: number;
  readonly text: string;
}

/** A command as a document prints it, its continuation lines joined, its comment left out. */
export interface PrintedCommand {
  readonly document: string;
  readonly line: number;
  readonly text: string;
}

const FENCE = '```';
const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:tacet|make|node|npm) /;
/** Blocks of these languages hold commands, and perhaps what they print. */
const OF_COMMANDS = ['', 'sh'];

export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    if (!lines[at].startsWith(FENCE)) continue;
    const end = lines.indexOf(FENCE, at + 1);
    if (end < 0) throw new Error(`the block of line ${at + 1} has no end`);
    const text = lines.slice(at + 1, end).join('\n');
    fences.push({ info: lines[at].slice(FENCE.length).trim(), line: at + 2, text });
    at = end;
  }
  return fences;
}

export function commandsOf({ info, line, text }: Fence, document: string): PrintedCommand[] {
  if (!OF_COMMANDS.includes(info)) return [];
  const commands: PrintedCommand[] = [];
  let pending: string | undefined;
  let begun = line;
  for (const [offset, printed] of text.split('\n').entries()) {
    if (pending === undefined) begun = line + offset;
    const whole = pending === undefined ? printed : `${pending} ${printed.trim()}`;
    pending = whole.endsWith('\\') ? whole.slice(0, -1).trimEnd() : undefined;
    if (pending === undefined && COMMAND.test(whole)) {
      commands.push({ document, line: begun, text: whole.replace(/\s+#\s.*$/, '') });
    }
  }
  return commands;
}

/** The file that a block shows, where it is called so after its language: `json policy.json`. */
export function fileNameOf({ info }: Fence): string | undefined {
  return info.split(' ')[1];
}

/** The `tacet` commands that stand within sentences, as `code`. */
export function commandsInProse(markdown: string): string[] {
  const prose = markdown
    .split(/^```.*$/m)
    .filter((_, i) => i % 2 === 0)
    .join('\n');
  return [...prose.matchAll(/`(tacet\s[^`]+)`/g)].map(([, text]) => text.replace(/\s+/g, ' '));
}
