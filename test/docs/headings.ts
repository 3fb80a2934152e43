import { existsSync, readFileSync } from 'node:fs';

/** What a link to a section of a Markdown document says after its `#`, as GitHub makes it of each heading. */
function anchorsOf(markdown: string): string[] {
  const prose = markdown.split(/^```.*$/m).filter((_, i) => i % 2 === 0);
  const headings = prose.flatMap((part) => part.match(/^#+ .*$/gm) ?? []);
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a document that no file of the repository answers, or whose file has no such section. */
export function brokenLinks(document: URL): string[] {
  const links = readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g);
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file = '', section] = link.split('#');
      const target = new URL(file, document);
      if (!existsSync(target)) return true;
      return section !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(section);
    });
}
