/**
 * The routes of the pages beside the API reference, and of the files that all pages load. Each has a route of its own,
 * so no path is ever turned into the name of a file. They are no operations of the contract.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { once } from '../base/once.ts'
import { programRoot, readProgramCommit } from '../base/program-root.ts'
import { version } from '../base/version.ts'
import { createStaticContent, type StaticContent, staticResponse } from '../http/static-content.ts'
import type { TransferRoute } from '../http/transfer.ts'
import { listPictures } from './catalog.ts'
import { pageHeaders, referenceHeaders, referenceHtml } from './layout.ts'
import { loadReferenceScript } from './reference-script.ts'
import { pagePaths, renderSite, textPaths } from './site.ts'

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}

// Shared by all servers of one process and created at the first use, because tests run hundreds of servers.
const site = once(() => renderSite(programRoot, { version, commit: readProgramCommit() }))

/** The page of the API reference. */
export const referencePage = once(() =>
  createStaticContent(Buffer.from(referenceHtml()), types.html, { headers: referenceHeaders }),
)

type LazyContent = () => StaticContent | Promise<StaticContent>

const files: Readonly<Record<string, LazyContent>> = {
  '/docs/site.css': once(() => ownFile('site.css', types.css)),
  '/docs/site.js': once(() => ownFile('site.js', types.js)),
  '/docs/reference.js': once(() => ownFile('reference.js', types.js)),
  '/docs/minisearch.js': once(() => createStaticContent(readSearchLibrary(), types.js)),
  '/docs/search.json': once(() => createStaticContent(Buffer.from(JSON.stringify(site().found)), types.json)),
  '/docs/scalar.js': onceLoaded(loadReferenceScript),
}

const pages = once(() => pagePaths(programRoot).map((path) => [path, once(() => pageOf(path))] as const))

const texts = once(() => textPaths(programRoot).map((path) => [path, once(() => textOf(path))] as const))

const pictures = once(() => listPictures(programRoot).map((path) => [path, once(() => pictureOf(path))] as const))

/** The routes of all pages and files, but the reference itself, which is an operation of the contract. */
export function createDocsRoutes(): TransferRoute[] {
  return [
    ...pages().map(([path, content]) => routeOf('get_docs_page', path, content)),
    ...texts().map(([path, content]) => routeOf('get_docs_text', path, content)),
    ...pictures().map(([path, content]) => routeOf('get_docs_file', path, content)),
    ...Object.entries(files).map(([path, content]) => routeOf('get_docs_file', path, content)),
  ]
}

function routeOf(name: string, path: string, content: LazyContent): TransferRoute {
  return { name, method: 'GET', path, run: async (_, { headers }) => staticResponse(await content(), headers) }
}

function pageOf(path: string): StaticContent {
  return createStaticContent(Buffer.from(site().pages.get(path) as string), types.html, { headers: pageHeaders })
}

function textOf(path: string): StaticContent {
  const type = path.endsWith('.md') ? types.markdown : types.plain
  return createStaticContent(Buffer.from(site().texts.get(path) as string), type, { headers: pageHeaders })
}

/** A picture has its styles inside, for light and dark. */
function pictureOf(path: string): StaticContent {
  return createStaticContent(readFileSync(join(programRoot, path)), types.svg, { headers: referenceHeaders })
}

function ownFile(name: string, mediaType: string): StaticContent {
  return createStaticContent(readFileSync(new URL(`./browser/${name}`, import.meta.url)), mediaType)
}

function readSearchLibrary(): Buffer {
  const entry = createRequire(import.meta.url).resolve('minisearch')
  return readFileSync(join(entry, '../../es/index.js'))
}

/** Loads a value at the first call. A call after a failure loads it again. */
function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
