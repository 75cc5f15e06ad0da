/** All pages of the program, rendered, and what can be searched in them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkTarget, listPages, listPictures, type PagePlace, pictureTarget } from './catalog.ts'
import { overviewHtml, pageHtml } from './layout.ts'
import { type Document, renderMarkdown } from './markdown.ts'
import { listOperations, operationLinks } from './operations.ts'
import {
  type DescribedVersion,
  fullListPath,
  listPaths,
  markdownAddress,
  markdownPath,
  printAllPages,
  printList,
  printOverview,
  resolveMarkdownLinks,
  withVersion,
} from './served-markdown.ts'

/** One thing that a search finds: a section of a page, or an operation. */
type SearchEntry = {
  readonly id: number
  readonly address: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

/** The pages by path: as HTML, and as text for programs, with the lists of all pages. */
type DocsSite = {
  readonly pages: ReadonlyMap<string, string>
  readonly texts: ReadonlyMap<string, string>
  readonly found: readonly SearchEntry[]
}

/** The page that lists all others. */
const overviewPath = '/docs/guides'

/** The paths of all pages of the program in a directory, without those of the reference. */
export function pagePaths(root: string): string[] {
  return [overviewPath, ...listPages(root).map(({ path }) => path)]
}

/** The paths of the texts for programs: each page as Markdown, and the lists of all pages. */
export function textPaths(root: string): string[] {
  return [...pagePaths(root).map(markdownPath), ...listPaths, fullListPath]
}

/** Renders all pages of the program in a directory. */
export function renderSite(root: string, described: DescribedVersion): DocsSite {
  const places = listPages(root)
  const operations = listOperations()
  const linkCode = operationLinks(operations)
  const rendered = places.map((place) => ({ ...place, ...render(root, place, { places, linkCode }) }))
  const entries = rendered.map(({ path, group, document: { title, lead } }) => ({ path, group, title, lead }))
  const pages = new Map(
    rendered.map(({ path, document }) => {
      const headings = document.sections.map(({ heading }) => heading)
      const shown = { path, title: document.title, content: document.html, headings, described }
      return [path, pageHtml(shown, entries)]
    }),
  )
  const overview = { path: overviewPath, title: 'Bourse', content: overviewHtml(entries), headings: [], described }
  pages.set(overviewPath, pageHtml(overview, entries))
  const sections = rendered.flatMap(({ path, document: { title, sections: own } }) =>
    own.map(({ heading, text }) => ({
      address: heading.level === 1 ? path : `${path}#${heading.anchor}`,
      title,
      heading: heading.level === 1 ? '' : heading.text,
      text,
    })),
  )
  const called = operations.map(({ name, method, path, summary, description, address }) => ({
    address,
    title: summary,
    heading: `${method} ${path}`,
    text: `${name} ${description}`,
  }))
  return {
    pages,
    texts: textsOf(root, rendered, described),
    found: [...sections, ...called].map((one, id) => ({ id, ...one })),
  }
}

type RenderedPage = PagePlace & { readonly source: string; readonly document: Document }

/** Every page as Markdown, and the lists. */
function textsOf(root: string, rendered: readonly RenderedPage[], described: DescribedVersion): Map<string, string> {
  const pictures = listPictures(root)
  const paths = new Set([overviewPath, ...rendered.map(({ path }) => path)])
  const markdown = rendered.map(({ path, group, file, source, document: { title, lead } }) => {
    const resolve = (written: string) => {
      const target = linkTarget(rendered, file, written)
      return target === undefined ? pictureTarget(pictures, file, written) : markdownAddress(target, paths)
    }
    return { path, group, title, lead, text: withVersion(resolveMarkdownLinks(source, resolve), described) }
  })
  const summary = renderMarkdown(readFileSync(join(root, 'README.md'), 'utf8'), noLinks).lead
  const full = printAllPages(markdown)
  const list = printList(markdown, { summary, described, full })
  return new Map([
    ...markdown.map(({ path, text }) => [markdownPath(path), text] as const),
    [markdownPath(overviewPath), withVersion(printOverview(markdown), described)],
    ...listPaths.map((path) => [path, list] as const),
    [fullListPath, full],
  ])
}

const noLinks = { resolve: () => undefined, linkCode: () => undefined }

function render(
  root: string,
  { file }: PagePlace,
  { places, linkCode }: { places: readonly PagePlace[]; linkCode: (code: string) => string | undefined },
): { source: string; document: Document } {
  const source = readFileSync(join(root, file), 'utf8')
  const pictures = listPictures(root)
  return {
    source,
    document: renderMarkdown(source, {
      resolve: (written) => linkTarget(places, file, written),
      resolvePicture: (written) => pictureTarget(pictures, file, written),
      linkCode,
    }),
  }
}
