import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { consoleFolder } from '../../console/config.ts'
import { pageEntries } from './sizes.ts'

/** A manifest that has every module. */
const whole = new Proxy({}, { has: () => true })

test('every page of the console is measured, also in folders of folders', () => {
  const entries = pageEntries(consoleFolder, whole)
  const tables = globSync('src/*/pages.ts', { cwd: consoleFolder })
  const paths = tables.flatMap((table) => readFileSync(join(consoleFolder, table), 'utf8').match(/path: '\//g) ?? [])
  assert.equal(new Set(entries).size, paths.length)
  for (const name of ['market/ticket/ticket-page', 'market/orders/order-page', 'operator/account/account-page']) {
    assert.ok(entries.includes(`src/${name}.tsx`), name)
  }
})

test('every table of pages is one of the router', () => {
  const router = readFileSync(join(consoleFolder, 'src/app/router.tsx'), 'utf8')
  const tables = globSync('src/*/pages.ts', { cwd: consoleFolder })
  const imported = [...router.matchAll(/from '\.\.\/([a-z]+)\/pages\.ts'/g)].map(([, area]) => `src/${area}/pages.ts`)
  assert.deepEqual(tables.toSorted(), imported.toSorted())
})

test('a page that is not loaded by itself, or is not in the build, ends the measurement', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-pages-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'src/area'), { recursive: true })
  const write = (text: string) => writeFileSync(join(folder, 'src/area/pages.ts'), text)
  write("{ path: '/a', component: lazyRouteComponent(() => import('./a.tsx'), 'A') }, { path: '/b', component: B }")
  assert.throws(() => pageEntries(folder, whole), /2 pages and loads 1 modules/)
  write("{ path: '/a', component: lazyRouteComponent(() => import('./a.tsx'), 'A') }")
  assert.deepEqual(pageEntries(folder, whole), ['src/area/a.tsx'])
  assert.throws(() => pageEntries(folder, {}), /The build has no page src\/area\/a.tsx/)
})
