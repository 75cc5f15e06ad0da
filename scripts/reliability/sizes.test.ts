import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { connectionsNeeded } from '../../packages/server/src/core/db/connection-share.rules.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/guides/sizes.md'), 'utf8')

/** The cells of a row of the page's tables, behind its name. */
function row(name: string): string[] {
  const line = text.split('\n').find((one) => one.startsWith(`| ${name} |`))
  assert.ok(line, name)
  return line
    .split('|')
    .slice(2, 6)
    .map((cell) => cell.trim())
}

const numbers = (name: string) => row(name).map((cell) => Number(cell.replaceAll(',', '')))

test('the connections of each size are those that its replicas open, and PostgreSQL allows more', () => {
  const opened = row('replicas × workers').map((cell) => {
    const [replicas = 0, workers = 0] = cell.split(' × ').map(Number)
    return connectionsNeeded({ replicas, workers })
  })
  assert.deepEqual(numbers('connections of the program'), opened)
  for (const [index, most] of numbers('`max_connections`').entries()) assert.ok(most >= (opened[index] as number) + 10)
})

test('the use and the events of each size follow from its load and the costs that the page names', () => {
  const ofOrders = /orders at (\d+) µs of the server and (\d+) µs of the database/.exec(text)?.slice(1)
  const ofReads = /reads as the dearest kind \((\d+) \+ (\d+) µs\)/.exec(text)?.slice(1)
  const ofAgents = /agents\s+at (\d+) and (\d+) µs a second/.exec(text)?.slice(1)
  const [server = 0, database = 0] = (ofOrders ?? []).map(Number)
  const [reads = 0, readsDatabase = 0] = (ofReads ?? []).map(Number)
  const [agent = 0, agentDatabase = 0] = (ofAgents ?? []).map(Number)
  assert.ok(database > 0 && readsDatabase > 0 && agentDatabase > 0, 'costs')
  const [orders, read, hosts] = ['orders a second at the peak', 'reads a second at the peak', 'hosts with agents'].map(
    numbers,
  ) as [number[], number[], number[]]
  const used = orders.map((count, index) => {
    const sum = (order: number, page: number, host: number) =>
      (count * order + (read[index] as number) * page + (hosts[index] as number) * host) / 1_000_000
    return `${sum(server, reads, agent).toFixed(2)} + ${sum(database, readsDatabase, agentDatabase).toFixed(2)}`
  })
  assert.deepEqual(
    row('calculated use, server + database').map((cell) => cell.replace(' cores', '')),
    used,
  )
  assert.deepEqual(
    numbers('events a second at the peak'),
    orders.map((count) => 3 * count),
  )
})
