/** The pages as Markdown, and the lists of them that programs read (llmstxt.org). */

/** The program that the pages describe. Each server serves the pages of its own version. */
export type DescribedVersion = { readonly version: string; readonly commit: string }

/** A page as Markdown. `lead` is the text of its first paragraph. */
type MarkdownPage = {
  readonly path: string
  readonly title: string
  readonly group: string
  readonly lead: string
  readonly text: string
}

/** The path of a page as Markdown. */
export function markdownPath(path: string): string {
  return `${path}.md`
}

/** The paths of the lists. The first is where readers look for it, and the second where the pages are. */
export const listPaths = ['/llms.txt', '/docs/llms.txt'] as const
export const fullListPath = '/docs/llms-full.txt'

/**
 * The text of a document with each link as `resolve` gives it. A link to nowhere becomes its text, as on the page. Code
 * stays as it is.
 */
export function resolveMarkdownLinks(text: string, resolve: (written: string) => string | undefined): string {
  return text.replaceAll(codeOrLink, (whole, label?: string, written?: string) => {
    if (label === undefined || written === undefined) return whole
    const target = resolve(written)
    return target === undefined ? label : `[${label}](${target})`
  })
}

/** The address of a page of this server as that of its Markdown; any other address as it is. */
export function markdownAddress(address: string, paths: ReadonlySet<string>): string {
  const [path = '', ...anchor] = address.split('#')
  return paths.has(path) ? [markdownPath(path), ...anchor].join('#') : address
}

/** The sentence about the version at the end of each page. */
export function versionSentence({ version, commit }: DescribedVersion): string {
  return `This page describes Bourse ${version}, commit ${commit}. Each server serves the pages of its own version.`
}

/** A page as Markdown with the sentence about its version. */
export function withVersion(text: string, described: DescribedVersion): string {
  return `${text.trimEnd()}\n\n---\n\n${versionSentence(described)}\n`
}

/** The list of all pages with one line each, in the form of llmstxt.org. `summary` says what the program is. */
export function printList(
  pages: readonly MarkdownPage[],
  { summary, described, full }: { summary: string; described: DescribedVersion; full: string },
): string {
  const groups = [...Map.groupBy(pages, ({ group }) => group)]
  const sections = groups.map(([group, own]) => {
    const lines = own.map(({ path, title, lead }) => listLine(title, markdownPath(path), firstSentence(lead)))
    return `## ${group}\n\n${lines.join('\n')}`
  })
  const { version, commit } = described
  const kilobytes = Math.ceil(Buffer.byteLength(full) / 1_000)
  return `# Bourse

> ${summary}

These pages describe Bourse ${version}, commit ${commit}. Each server serves the pages of its own version.

${sections.join('\n\n')}

## API

${listLine('openapi.json', '/openapi.json', 'Every operation with its fields, errors and examples.')}

## Optional

${listLine('All pages in one file', fullListPath, `${kilobytes} kB.`)}
`
}

/** All pages in one text, each after the line that names its address. */
export function printAllPages(pages: readonly MarkdownPage[]): string {
  return pages.map(({ path, text }) => `<!-- ${markdownPath(path)} -->\n\n${text}`).join('\n')
}

/** The page that lists all others, as Markdown. */
export function printOverview(pages: readonly Omit<MarkdownPage, 'text'>[]): string {
  const groups = [...Map.groupBy(pages, ({ group }) => group)]
  const sections = groups.map(([group, own]) => {
    const lines = own.map(({ path, title, lead }) => listLine(title, markdownPath(path), lead))
    return `## ${group}\n\n${lines.join('\n')}`
  })
  return `# Documentation\n\n${sections.join('\n\n')}\n`
}

function listLine(title: string, address: string, text: string): string {
  return `- [${title}](${address})${text === '' ? '' : `: ${text}`}`
}

/** Leads begin with the sentence that says what the page is about. */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
}

const fence = String.raw`^ *\`\`\`[\s\S]*?^ *\`\`\`\s*$`
const inlineCode = String.raw`(?<!\`)(?:\`\`[\s\S]+?\`\`|\`[^\`]+\`)(?!\`)`
const label = String.raw`((?:[^\[\]\`]|\`[^\`]*\`)+)`
const codeOrLink = new RegExp(`${fence}|\\[${label}\\]\\(([^()\\s]+)\\)|${inlineCode}`, 'gm')
