/** Which documents of the program are pages of the server, and where. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A document that is a page. */
export type PagePlace = {
  /** Its file in the program. */
  readonly file: string
  /** The path of its page. */
  readonly path: string
  readonly group: string
}

type DocumentGroup = {
  readonly title: string
  readonly folder?: string
  readonly files?: readonly string[]
}

/** The index of the documentation. The pages of each group come in the order in which it names them. */
const indexFile = 'docs/README.md'

const groups: readonly DocumentGroup[] = [
  { title: 'Start', files: [indexFile, 'docs/status.md', 'docs/faq.md', 'docs/glossary.md'] },
  { title: 'Guides', folder: 'docs/guides' },
  { title: 'Concepts', folder: 'docs/concepts' },
  { title: 'Runbooks', folder: 'docs/runbooks' },
  { title: 'Clients', files: ['packages/sdk/README.md', 'packages/cli/README.md'] },
  { title: 'Reference', folder: 'docs/reference', files: ['docs/errors.md', 'docs/metrics.md', 'docs/scaling.md'] },
  { title: 'Reliability', files: ['RELIABILITY.md', 'docs/reliability/track-record.md'] },
]

/** Documents whose page is named otherwise than their file. */
const pathsOf: Readonly<Record<string, string>> = {
  [indexFile]: '/docs/start',
  'docs/concepts/README.md': '/docs/concepts',
  'docs/runbooks/README.md': '/docs/runbooks',
  'packages/sdk/README.md': '/docs/sdk',
  'packages/cli/README.md': '/docs/cli',
  'RELIABILITY.md': '/docs/reliability',
}

/** The pages of the program in a directory, in the order of the navigation. */
export function listPages(root: string): PagePlace[] {
  const order = namedFiles(root)
  return groups.flatMap((group) =>
    filesOf(root, group, order).map((file) => ({ file, path: pathOf(file), group: group.title })),
  )
}

/** The files that the index names, in its order. */
function namedFiles(root: string): readonly string[] {
  const path = join(root, indexFile)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const links = [...text.matchAll(/\]\(([^)#:]+\.md)/g)].map(([, to = '']) => posix.join(posix.dirname(indexFile), to))
  return [indexFile, ...links]
}

/** The files of a group that are there: those that the index names, in its order, then others by name. */
function filesOf(root: string, { folder, files = [] }: DocumentGroup, order: readonly string[]): string[] {
  const directory = join(root, folder ?? '')
  const found = folder !== undefined && existsSync(directory) ? readdirSync(directory) : []
  const inFolder = found.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)
  const all = [...inFolder, ...files.filter((file) => existsSync(join(root, file)))].sort()
  return [...new Set([...order.filter((file) => all.includes(file)), ...all])]
}

function pathOf(file: string): string {
  return pathsOf[file] ?? `/${file.replace(/\.md$/, '')}`
}

const pictureFolder = 'docs/images'

/** The pictures that pages may show: their paths on the server, which are those of their files. */
export function listPictures(root: string): string[] {
  const folder = join(root, pictureFolder)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => name.endsWith('.svg')).map((name) => `/${pictureFolder}/${name}`)
}

/** The path of a picture that a document shows; undefined for all others, of which a page has the text instead. */
export function pictureTarget(pictures: readonly string[], from: string, written: string): string | undefined {
  const path = `/${posix.join(posix.dirname(from), written)}`
  return pictures.find((one) => one === path)
}

/**
 * Where a link of a document leads: to a page, the description of the API or another site. Undefined for files of the
 * repository that are no pages.
 */
export function linkTarget(pages: readonly PagePlace[], from: string, written: string): string | undefined {
  if (/^(https?:|mailto:)/.test(written) || written.startsWith('#')) return written
  const [path = '', anchor] = written.split('#')
  const file = posix.join(posix.dirname(from), path)
  if (file === 'openapi.json') return '/openapi.json'
  const page = pages.find((one) => one.file === file)
  return page && (anchor === undefined ? page.path : `${page.path}#${anchor}`)
}
