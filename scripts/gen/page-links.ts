import { posix } from 'node:path'

/** Writes links of the generated page `from` in Markdown, from the paths of other pages in the repository. */
export function linksFrom(from: string): (text: string, path: string) => string {
  return (text, path) => `[${text}](${posix.relative(posix.dirname(from), path)})`
}

/** A table in Markdown: its head, and the cells of its rows. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}
