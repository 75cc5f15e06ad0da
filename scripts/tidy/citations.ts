// Checks that every named document exists in the repository, with the cited headings.

import { dirname, join } from 'node:path/posix'
import type { Finding, Repository, Rule, Source } from './source.ts'

export const citationRules: readonly Rule[] = [citedPages, ownAnchors]

/** The characters between two words of a comment that continues on the next line. */
const gap = String.raw`(?:\s|\*|//|--)+`
const quoted = '"[^"]+"'
const headingList = `${gap}${quoted}(?:,?${gap}(?:and${gap})?${quoted})*`
/**
 * A document by its path, with the cited headings: `docs/concepts/market.md#holds`, or
 * `docs/concepts/market.md, "Holds"`, where more headings may follow. The end of a URL does not match, nor does a
 * pattern such as `*.md`.
 */
const citation = new RegExp(
  String.raw`(?<![\w./:-])(?<page>[\w./-]*[\w-]\.md)\b(?:#(?<anchor>[\w-]+)|,(?<headings>${headingList}))?`,
  'g',
)
/** `NNN-name.md` stands for a document without a number yet. */
const placeholder = /NNN/
/** This file names the files of packages, not those of the repository. */
const lockFile = 'package-lock.json'

/** Every document that a file names is in the repository, with the cited headings. */
export function citedPages(repository: Repository): Finding[] {
  const anchorsOf = anchorReader()
  return repository.files
    .filter(({ path }) => path !== lockFile)
    .flatMap((file) =>
      [...file.text.matchAll(citation)].flatMap((match) => {
        const { page, anchor, headings } = match.groups as { page: string; anchor?: string; headings?: string }
        if (placeholder.test(page)) return []
        const found = pageOf(repository, file, page)
        const line = file.lineOf(match.index)
        if (!found) {
          const message = `${page} is not in the repository: name a page by its path from the root, or none`
          return [{ path: file.path, line, message }]
        }
        const anchors = anchorsOf(found)
        const cited = [...(headings ?? '').matchAll(/"([^"]+)"/g)].map(([, text]) => oneLine(text as string))
        const missing = cited.filter((heading) => !anchors.has(anchorOf(heading)))
        if (anchor !== undefined && !anchors.has(anchor)) missing.push(`#${anchor}`)
        return missing.map((what) => ({ path: file.path, line, message: withoutHeading(found.path, what) }))
      }),
    )
}

/** Every link within a page leads to one of its headings. */
export function ownAnchors(repository: Repository): Finding[] {
  return repository.files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) => {
      const anchors = anchorsIn(file)
      return [...file.text.matchAll(/\]\(#([^)]+)\)/g)]
        .filter(([, anchor]) => !anchors.has(anchor as string))
        .map(({ 1: anchor, index }) => ({
          path: file.path,
          line: file.lineOf(index),
          message: withoutHeading(file.path, `#${anchor}`),
        }))
    })
}

function withoutHeading(page: string, heading: string): string {
  return `${page} has no heading ${heading}: cite one that it has`
}

/** A document by its path from the root or from the folder of the citing file. */
function pageOf({ byPath }: Repository, { path }: Source, page: string): Source | undefined {
  return byPath.get(join(page)) ?? byPath.get(join(dirname(path), page))
}

function anchorReader(): (page: Source) => ReadonlySet<string> {
  const read = new Map<string, ReadonlySet<string>>()
  return (page) => {
    const anchors = read.get(page.path) ?? anchorsIn(page)
    read.set(page.path, anchors)
    return anchors
  }
}

/** The anchors of the headings of a page. Lines with `#` in a code block are not headings. */
function anchorsIn({ lines }: Source): Set<string> {
  const anchors = new Set<string>()
  const times = new Map<string, number>()
  let isCode = false
  for (const line of lines) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? undefined : /^#{1,6} (.+)$/.exec(line)?.[1]
    if (heading === undefined) continue
    const anchor = anchorOf(heading)
    const before = times.get(anchor) ?? 0
    times.set(anchor, before + 1)
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`)
  }
  return anchors
}

/** The anchor as in common Markdown renderers: lower case, without punctuation, `-` for each space. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Joins a heading that a comment breaks between two lines. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' ')
}
