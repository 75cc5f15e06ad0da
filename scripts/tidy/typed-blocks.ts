// Checks that a test types each shell block of README.md and the guides, or that the page says why none does.

import type { Finding, Repository, Rule, Source } from './source.ts'

export const typedBlockRules: readonly Rule[] = [shellBlocksAreTyped, marksAreNeeded]

/** A shell block of a page: its commands, or a session with its output. */
type ShellBlock = {
  readonly page: string
  readonly line: number
  readonly kind: 'commands' | 'session'
  /** The headings above it, outermost first, as they are written. */
  readonly headings: readonly string[]
  /** Why no test types it, as the comment above it says. */
  readonly reason?: string
}

const isPage = (path: string) => path === 'README.md' || /^docs\/guides\/[^/]+\.md$/.test(path)
const kinds: Readonly<Record<string, ShellBlock['kind']>> = {
  sh: 'commands',
  bash: 'commands',
  shell: 'commands',
  console: 'session',
}
/** packages/cli/test/shown-blocks.ts leaves out the blocks below such a comment. */
const mark = /^ *<!-- Not typed: (?<reason>.+) -->$/
/** The arguments with which tests name the part of a page that they type. */
const typedPart = /'(?<page>(?:README|docs\/guides\/[\w-]+)\.md)',\s*'(?<heading>#+ [^']+)'/g
const typedSession = /\bfollowSession\(\w+, '(?<page>[^']+)'\)/g

/** Each shell block is typed by a test, or has a comment that says why not. */
export function shellBlocksAreTyped(repository: Repository): Finding[] {
  const isTyped = typedBy(repository)
  return blocksOf(repository)
    .filter((block) => block.reason === undefined && !isTyped(block))
    .map(({ page, line }) => ({
      path: page,
      line,
      message: 'no test types this block: let one do it, or write `<!-- Not typed: why. -->` in the line above it',
    }))
}

/** Each such comment stands directly above a shell block. */
export function marksAreNeeded(repository: Repository): Finding[] {
  return pagesOf(repository).flatMap((page) => {
    const used = new Set(blocksIn(page).flatMap(({ line, reason }) => (reason === undefined ? [] : [line - 1])))
    return page.lines.flatMap((text, index) =>
      text.includes('<!-- Not typed') && !used.has(index + 1)
        ? [{ path: page.path, line: index + 1, message: 'no shell block follows in the next line: remove the comment' }]
        : [],
    )
  })
}

function pagesOf({ files }: Repository): Source[] {
  return files.filter(({ path }) => isPage(path))
}

function blocksOf(repository: Repository): ShellBlock[] {
  return pagesOf(repository).flatMap(blocksIn)
}

function typedBy({ files }: Repository): (block: ShellBlock) => boolean {
  const tests = files.filter(({ path }) => path.endsWith('.test.ts') && !path.startsWith('scripts/tidy/'))
  const found = (pattern: RegExp) => tests.flatMap(({ text }) => [...text.matchAll(pattern)].map((one) => one.groups))
  const parts = new Set(found(typedPart).map((groups) => `${groups?.page} ${groups?.heading}`))
  const sessions = new Set(found(typedSession).map((groups) => groups?.page))
  return ({ kind, page, headings }) =>
    kind === 'session' ? sessions.has(page) : headings.some((heading) => parts.has(`${page} ${heading}`))
}

function blocksIn({ path: page, lines }: Source): ShellBlock[] {
  const blocks: ShellBlock[] = []
  let headings: string[] = []
  let isCode = false
  for (const [index, line] of lines.entries()) {
    const [, language] = /^ *```(\w*)/.exec(line) ?? []
    const kind = isCode ? undefined : kinds[language ?? '']
    if (kind !== undefined) {
      const reason = mark.exec(lines[index - 1] ?? '')?.groups?.reason
      blocks.push({ page, line: index + 1, kind, headings, ...(reason === undefined ? {} : { reason }) })
    }
    if (language !== undefined) isCode = !isCode
    const level = isCode ? undefined : /^#+(?= )/.exec(line)?.[0].length
    if (level !== undefined) headings = [...headings.filter((above) => above.indexOf(' ') < level), line]
  }
  return blocks
}
