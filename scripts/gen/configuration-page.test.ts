import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dataDirectoryOf } from '@bourse/text/program.ts'
import { test } from 'vitest'
import { readConfig } from '../../packages/server/src/config.ts'
import { serverSettings } from '../../packages/server/src/core/base/server-settings.ts'
import { printConfiguration, settingTables } from './configuration-page.ts'

/** Files with a table of variables, and generated files, read none. */
const tableFiles = /(server-settings|image-store-settings|trace-variables|client-variables|agent-variables)\.ts$/
const sources = globSync(['packages/*/src/**/*.{ts,tsx}', 'packages/*/bin/*'])
  .filter((path) => !/\.test\.tsx?$|\/generated\//.test(path) && !tableFiles.test(path))
  .map((path) => readFileSync(path, 'utf8'))
const named = new Set(sources.flatMap((text) => text.match(/\b(?:BOURSE|OTEL)_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []))
// A text that begins the names of several variables.
named.delete('BOURSE_TLS')
const listed = Object.values(settingTables).flatMap((table) => Object.keys(table))

test('every variable that a program names has a row, and every row a program', () => {
  assert.ok(named.size > 40)
  assert.deepEqual([...named].sort(), listed.toSorted())
})

test('a variable has one row', () => {
  assert.equal(new Set(listed).size, listed.length)
})

test('the page shows the bounds and the defaults with which the server starts', () => {
  const page = printConfiguration()
  assert.match(page, /^\| `BOURSE_PORT` \|[^|]*\| `8080` \| 0 to 65535 \| `serve`, `start` \|$/m)
  const config = readConfig('sandbox', {})
  assert.deepEqual(
    [
      config.host,
      config.port,
      config.replicas,
      config.platform_account,
      config.proxy_header,
      config.keep_alive_seconds,
    ],
    [
      serverSettings.BOURSE_HOST.fallback,
      serverSettings.BOURSE_PORT.fallback,
      serverSettings.BOURSE_REPLICAS.fallback,
      serverSettings.BOURSE_PLATFORM_ACCOUNT.fallback,
      serverSettings.BOURSE_PROXY_HEADER.fallback,
      serverSettings.BOURSE_KEEP_ALIVE_SECONDS.fallback,
    ],
  )
  assert.equal(dataDirectoryOf({}), serverSettings.BOURSE_DATA_DIR.fallback)
})

test('a server refuses numbers outside of the bounds that the page shows', () => {
  for (const [name, setting] of Object.entries(serverSettings).filter(([, one]) => 'min' in one)) {
    const { min, max } = setting as { min: number; max: number }
    const mode = name === 'BOURSE_WORKERS' ? 'production' : 'sandbox'
    const read = (value: number) =>
      readConfig(mode, {
        BOURSE_DATABASE_URL: 'postgres://b@db.example/b',
        BOURSE_PUBLIC_URL: 'https://market.example',
        BOURSE_IMAGE_STORE: 'images',
        [name]: String(value),
      })
    for (const value of [min, max]) assert.ok(read(value), name)
    for (const value of [min - 1, max + 1]) assert.throws(() => read(value), new RegExp(`${name} must be`))
  }
})
