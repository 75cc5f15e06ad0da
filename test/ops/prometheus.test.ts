/** Alerts and dashboards in a real Prometheus that scrapes a real server. */
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { app } from '../../packages/server/src/app.ts'
import { runDueAudits } from '../../packages/server/src/events/audits/self-audit.service.ts'
import type { Server } from '../../packages/server/src/server.ts'
import { makeCapacity } from '../../packages/server/test/support/fixtures/capacity.ts'
import { tradersOn } from '../../packages/server/test/support/fixtures/traders.ts'
import { startTestServer } from '../../packages/server/test/support/server.ts'
import { freePort } from '../../scripts/bench/prism.ts'
import { atEnd } from '../at-end.ts'
import { eventually } from '../eventually.ts'
import { leftOut } from '../left-out.ts'
import { queriesOf, readAlerts, readDashboards, root } from './published.ts'

const isThere = ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0)
const isRequired = process.env.BOURSE_REQUIRE_PROMETHEUS === '1'
const remedy = 'install it, on Debian by `apt-get install --no-install-recommends prometheus`'
const skip = isThere || isRequired ? false : `no Prometheus: ${remedy}`

const run = promisify(execFile)
const cwd = join(root, 'ops')
/** Prometheus looks for its targets five seconds after it has started. */
const patience = { usual_seconds: 10 }

test('the rules are valid', leftOut(skip), async () => {
  const { stdout } = await run('promtool', ['check', 'rules', 'alerts.yaml'], { cwd })
  assert.match(stdout, new RegExp(`SUCCESS: ${readAlerts().length} rules found`))
})

test(
  'each alert fires in its case, not before its time, and not in the case of a healthy service',
  leftOut(skip),
  async () => {
    const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd }).catch((error) => {
      throw new Error(String(error.stdout))
    })
    assert.match(stdout, /SUCCESS/)
  },
)

/** Starts Prometheus with our alerts, which scrapes a server each second. Returns a function that asks its API. */
async function startPrometheus(server: Server) {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-prometheus-'))
  const port = await freePort()
  const { host } = new URL(server.url)
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s', external_labels: { bourse_url: server.url } },
    rule_files: [join(cwd, 'alerts.yaml')],
    scrape_configs: [{ job_name: 'bourse', static_configs: [{ targets: [host] }] }],
  }
  // JSON is YAML too.
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(config))
  const words = [
    `--config.file=${join(directory, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn('prometheus', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (part) => {
    said = (said + part).slice(-10_000)
  })
  const ended = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  const ask = async (path: string): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    const { status, data, error } = (await response.json()) as { status: string; data: unknown; error?: string }
    assert.equal(status, 'success', `${path}: ${error}`)
    return data
  }
  await eventually('Prometheus responds', async () => {
    assert.equal(child.exitCode, null, said)
    return fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return ask
}

/** A server with orders on both sides of a book, capacity, and audits that have run. */
async function startWorld() {
  const server = await startTestServer()
  await makeCapacity(server, await server.account({ trust_level: 'partner' }), { hosts: 1, slots: 2 })
  const traders = tradersOn(server)
  const sku = await traders.sku()
  const [seller, buyer] = [await traders.seller(sku, 10), await traders.buyer()]
  const start_at = await traders.nextHour()
  const rest = { start_at, allow_standing: true }
  const buy = async () => {
    const { status } = await traders.order(buyer, sku, { ...rest, side: 'buy', price: '0.010000' })
    assert.equal(status, 201)
  }
  await buy()
  await traders.order(seller, sku, { ...rest, side: 'sell', price: '2.000000' })
  await server.advance(start_at - 60 - (await server.call('get_clock')).now)
  const inside = server.inside as Server
  await runDueAudits(inside.runtime, app.audits, { figures: app.hourly_figures })
  return { inside, buy }
}

type QueryResult = { readonly result: readonly { readonly value: readonly [number, string] }[] }

test('every query of a dashboard returns series, and a healthy server fires no alert', leftOut(skip), async () => {
  const { inside, buy } = await startWorld()
  const ask = await startPrometheus(inside)
  const open = new Map(
    readDashboards().flatMap((dashboard) =>
      queriesOf(dashboard).map(({ title, expr }) => {
        const query = expr.replaceAll('$job', 'bourse').replaceAll('$__rate_interval', '20s')
        return [`${dashboard.title}: ${title}: ${expr}`, query] as const
      }),
    ),
  )
  assert.ok(open.size > 60, `${open.size} queries`)
  await eventually(
    'every query returns series of numbers',
    async () => {
      // The time of an order is a number while there are orders.
      await buy()
      for (const [name, query] of open) {
        assert.doesNotMatch(query, /\$/)
        const { result } = (await ask(`/api/v1/query?query=${encodeURIComponent(query)}`)) as QueryResult
        if (result.length > 0 && result.every(({ value }) => value[1] !== 'NaN')) open.delete(name)
      }
      assert.deepEqual([...open.keys()], [])
      return true
    },
    patience,
  )
  await eventually(
    'all alerts have been evaluated',
    async () => {
      const { groups } = await ask('/api/v1/rules')
      const rules: { name: string; health: string; lastError?: string; state: string }[] = groups.flatMap(
        (group: { rules: unknown[] }) => group.rules,
      )
      assert.equal(rules.length, readAlerts().length)
      assert.deepEqual(
        rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => `${name}: ${lastError}`),
        [],
      )
      assert.deepEqual(
        rules.filter(({ state }) => state !== 'inactive').map(({ name, state }) => `${name}: ${state}`),
        [],
      )
      return true
    },
    patience,
  )
})
