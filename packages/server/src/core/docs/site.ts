/** All pages of the program, rendered, and what can be searched in them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkTarget, listPages, type PagePlace } from './catalog.ts'
import { type NavigationEntry, overviewHtml, pageHtml } from './layout.ts'
import { type Document, renderMarkdown } from './markdown.ts'
import { listOperations, operationLinks } from './operations.ts'

/** One thing that a search finds: a section of a page, or an operation. */
type SearchEntry = {
  readonly id: number
  readonly address: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

/** The pages by path, as HTML. */
type DocsSite = { readonly pages: ReadonlyMap<string, string>; readonly found: readonly SearchEntry[] }

/** The page that lists all others. */
const overviewPath = '/docs/guides'

/** The paths of all pages of the program in a directory, without those of the reference. */
export function pagePaths(root: string): string[] {
  return [overviewPath, ...listPages(root).map(({ path }) => path)]
}

/** Renders all pages of the program in a directory. */
export function renderSite(root: string): DocsSite {
  const places = listPages(root)
  const operations = listOperations()
  const linkCode = operationLinks(operations)
  const rendered = places.map((place) => ({ ...place, document: render(root, place, places, linkCode) }))
  const entries: NavigationEntry[] = rendered.map(({ path, group, document }) => ({
    path,
    group,
    title: document.title,
  }))
  const pages = new Map(
    rendered.map(({ path, document }) => {
      const headings = document.sections.map(({ heading }) => heading)
      return [path, pageHtml({ path, title: document.title, content: document.html, headings }, entries)]
    }),
  )
  const leads = new Map(rendered.map(({ path, document }) => [path, document.lead]))
  const overview = { path: overviewPath, title: 'Bourse', content: overviewHtml(entries, leads), headings: [] }
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
  return { pages, found: [...sections, ...called].map((one, id) => ({ id, ...one })) }
}

function render(
  root: string,
  { file }: PagePlace,
  places: readonly PagePlace[],
  linkCode: (code: string) => string | undefined,
): Document {
  const text = readFileSync(join(root, file), 'utf8')
  return renderMarkdown(text, { resolve: (written) => linkTarget(places, file, written), linkCode })
}
