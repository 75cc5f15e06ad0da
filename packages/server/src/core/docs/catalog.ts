/** Which documents of the program are pages of the server, and where. */
import { existsSync, readdirSync } from 'node:fs'
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
  /** Files in the order of the navigation. Others of the folder follow by name. */
  readonly files: readonly string[]
}

const groups: readonly DocumentGroup[] = [
  {
    title: 'Guides',
    folder: 'docs/guides',
    files: [
      'docs/guides/first-hour.md',
      'docs/guides/trading.md',
      'docs/guides/spot-fleets.md',
      'docs/guides/procurements.md',
    ],
  },
  {
    title: 'Concepts',
    folder: 'docs/concepts',
    files: ['docs/concepts/README.md', 'docs/concepts/market.md', 'docs/concepts/capacity.md'],
  },
  { title: 'Runbooks', folder: 'docs/runbooks', files: ['docs/runbooks/README.md'] },
  { title: 'Clients', files: ['packages/sdk/README.md', 'packages/cli/README.md'] },
  { title: 'Reference', files: ['docs/errors.md', 'docs/metrics.md', 'docs/scaling.md'] },
  { title: 'Reliability', files: ['RELIABILITY.md', 'docs/reliability/track-record.md'] },
]

/** Documents whose page is named otherwise than their file. */
const pathsOf: Readonly<Record<string, string>> = {
  'docs/concepts/README.md': '/docs/concepts',
  'docs/runbooks/README.md': '/docs/runbooks',
  'packages/sdk/README.md': '/docs/sdk',
  'packages/cli/README.md': '/docs/cli',
  'RELIABILITY.md': '/docs/reliability',
}

/** The pages of the program in a directory, in the order of the navigation. */
export function listPages(root: string): PagePlace[] {
  return groups.flatMap((group) =>
    filesOf(root, group).map((file) => ({ file, path: pathOf(file), group: group.title })),
  )
}

function filesOf(root: string, { folder, files }: DocumentGroup): string[] {
  if (folder === undefined) return files.filter((file) => existsSync(join(root, file)))
  const directory = join(root, folder)
  const found = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.md')) : []
  const all = found.map((name) => `${folder}/${name}`).sort()
  return [...files.filter((file) => all.includes(file)), ...all.filter((file) => !files.includes(file))]
}

function pathOf(file: string): string {
  return pathsOf[file] ?? `/${file.replace(/\.md$/, '')}`
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
