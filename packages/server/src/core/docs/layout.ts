/** The HTML around the content of a page. It has no inline script and no inline style, so its policy allows neither. */
import type { Heading } from './markdown.ts'
import { type DescribedVersion, markdownPath, versionSentence } from './served-markdown.ts'

/** A larger group shows only its first page, which lists the others, until one of its pages is read. */
const unfoldedMax = 20

/** An entry of the navigation. */
type NavigationEntry = { readonly path: string; readonly title: string; readonly group: string }

/** An entry of the page that lists all others. `lead` is the text of its first paragraph. */
type OverviewEntry = NavigationEntry & { readonly lead: string }

/** What is shown on a page besides the navigation. */
type PageContent = {
  readonly path: string
  readonly title: string
  /** HTML. */
  readonly content: string
  readonly headings: readonly Heading[]
  readonly described: DescribedVersion
}

/** Nothing is loaded from another origin, sent to one, or shown inside one. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

/** The policies of pages. The reference also writes styles into its page while it runs. */
export const pageHeaders = securityHeaders("style-src 'self'")
export const referenceHeaders = securityHeaders("style-src 'self' 'unsafe-inline'")

function securityHeaders(styles: string): readonly string[] {
  return ['Content-Security-Policy', [...policy, styles].join('; '), 'Referrer-Policy', 'same-origin']
}

/** A page with navigation and table of contents. */
export function pageHtml(shown: PageContent, entries: readonly NavigationEntry[]): string {
  const inside = shown.headings.filter(({ level }) => level === 2 || level === 3)
  const contents = inside
    .map(({ level, text, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`)
    .join('\n')
  return shellHtml({
    path: shown.path,
    title: shown.title,
    head: `<link rel="alternate" type="text/markdown" href="${markdownPath(shown.path)}">`,
    body: `<div class="page">
<nav class="pages" aria-label="Pages"><details><summary>All pages</summary>${navigation(entries, shown.path)}</details>
<div class="wide">${navigation(entries, shown.path)}</div></nav>
<main>
${shown.content}
<footer>${escapeHtml(versionSentence(shown.described))}
<a href="${markdownPath(shown.path)}">This page as Markdown</a></footer>
</main>
<aside aria-label="On this page">${inside.length < 2 ? '' : `<h2>On this page</h2>\n<ul>\n${contents}\n</ul>`}</aside>
</div>`,
  })
}

/** The page of the API reference. Its script fills the element `reference`. */
export function referenceHtml(): string {
  return shellHtml({
    path: '/docs',
    title: 'API reference',
    head: '<script src="/docs/scalar.js" defer></script><script src="/docs/reference.js" type="module"></script>',
    // Scalar takes anything inside its element for its own page, rendered by the server: this stands before it.
    body: `<noscript><p>The reference needs JavaScript. The same as JSON:
<a href="/openapi.json">openapi.json</a>.</p></noscript>
<main id="waiting">
<h1>API reference</h1>
<p role="status">The reference is loading: every operation, with examples to try.</p>
<p>To begin, read <a href="/docs/guides/first-hour">the first hour</a>, or <a href="/docs/guides">all guides and
concepts</a>.</p>
</main>
<div id="reference"></div>`,
  })
}

/** The page that lists all others. */
export function overviewHtml(entries: readonly OverviewEntry[]): string {
  const groups = [...Map.groupBy(entries, ({ group }) => group)]
  const listed = groups.map(([group, own]) => {
    const rows = own.map(
      ({ path, title, lead }) => `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(lead)}</p></li>`,
    )
    return `<h2 id="${group.toLowerCase()}">${group}</h2>\n<ul class="overview">\n${rows.join('\n')}\n</ul>`
  })
  const reference = '<p>Every operation, with examples to try: <a href="/docs">the API reference</a>.</p>'
  const begin = '<p>New here? Begin with <a href="/docs/guides/first-hour">the first hour</a>.</p>'
  return `<h1>Documentation</h1>\n${begin}\n${reference}\n${listed.join('\n')}`
}

function navigation(entries: readonly NavigationEntry[], path: string): string {
  const groups = [...Map.groupBy(entries, ({ group }) => group)]
  return groups
    .map(([group, all]) => {
      const isFolded = all.length > unfoldedMax && all.every((entry) => entry.path !== path)
      const own = isFolded ? all.slice(0, 1) : all
      const links = own.map((entry) => `<li>${linkTo(entry, path)}</li>`).join('')
      return `<h2>${group}</h2><ul>${links}</ul>`
    })
    .join('\n')
}

function linkTo({ path, title }: Pick<NavigationEntry, 'path' | 'title'>, current: string): string {
  const mark = path === current ? ' aria-current="page"' : ''
  return `<a href="${path}"${mark}>${escapeHtml(title)}</a>`
}

type Shell = { readonly path: string; readonly title: string; readonly head: string; readonly body: string }

function shellHtml({ path, title, head, body }: Shell): string {
  const places = [
    { path: '/docs/guides', title: 'Guides and concepts' },
    { path: '/docs', title: 'API reference' },
    { path: '/openapi.json', title: 'openapi.json' },
    { path: '/console', title: 'Console' },
  ]
  const current = path === '/docs' ? path : '/docs/guides'
  const name = title === 'Bourse' ? title : `${title} · Bourse`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/site.css">
<script src="/docs/site.js" type="module"></script>${head}</head>
<body>
<header>
<a class="name" href="/docs/guides">Bourse</a>
<nav aria-label="Documentation">${places.map((place) => linkTo(place, current)).join('')}</nav>
<div class="search" role="search">
<input type="search" id="search" placeholder="Search" aria-label="Search pages and operations" maxlength="100"
  autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="Results" hidden></ul>
</div>
</header>
${body}
</body>
</html>
`
}

/** Text as HTML, also inside of a quoted attribute. */
function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (sign) => entities[sign] as string)
}
