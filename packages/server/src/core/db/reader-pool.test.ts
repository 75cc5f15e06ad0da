import assert from 'node:assert/strict'
import { test } from 'vitest'
import { soon } from '../base/clock.ts'
import { createReaderPool } from './reader-pool.ts'

/** A connection, as far as the pool knows it. */
type PoolConnection = { send(name: string): Promise<void> }
type SentRead = { readonly connection: number; readonly name: string; end(): Promise<void> }

function turn(): Promise<void> {
  return new Promise(soon)
}

/** A pool over connections whose statements end when the test says so. */
function openPool({ connections = 3, connections_max = 1, turn: turnSize = 2, waiting_max = 100 } = {}) {
  const sent: SentRead[] = []
  const opened = new Set<number>()
  const connectionOf = (connection: number) => ({
    db: async (): Promise<PoolConnection> => {
      opened.add(connection)
      const send = (name: string) => {
        return new Promise<void>((resolve) => {
          const end = async () => {
            resolve()
            await turn()
          }
          sent.push({ connection, name, end })
        })
      }
      return { send }
    },
  })
  const limits = { connections_max, turn: turnSize, waiting_max, refusal: () => new Error('too many') }
  const pool = createReaderPool(
    Array.from({ length: connections }, (_, index) => connectionOf(index)),
    limits,
  )
  return {
    sent,
    opened,
    names: () => sent.map(({ name }) => name),
    /** Sends a statement without waiting for its answer. */
    ask: (account: string, number: number): { readonly answer: Promise<void> } => {
      const answer = pool.run(account, (db) => db.send(`${account}${number}`))
      answer.catch(() => {})
      return { answer }
    },
    end: (name: string) => (sent.find((one) => one.name === name) as SentRead).end(),
  }
}

test('a connection carries statements of one account at a time, so others do not wait for a slow one', async () => {
  const { ask, sent } = openPool()
  for (const [account, number] of [
    ['a', 1],
    ['a', 2],
    ['b', 1],
    ['c', 1],
    ['a', 3],
  ] as const) {
    ask(account, number)
  }
  await turn()
  const connections = new Map<number, string[]>()
  for (const { connection, name } of sent) {
    connections.set(connection, [...(connections.get(connection) ?? []), name])
  }
  assert.deepEqual(
    [...connections.values()].map((names) => names.join(' ')),
    ['a1 a2 a3', 'b1', 'c1'],
  )
})

test('a quiet process uses one connection', async () => {
  const { ask, end, opened } = openPool({ connections_max: 2 })
  for (const account of ['a', 'b', 'a', 'c']) {
    const number = opened.size
    const { answer } = ask(account, number)
    await turn()
    await end(`${account}${number}`)
    await answer
  }
  assert.deepEqual([...opened], [0])
})

test('an account takes a second connection only if enough are left for others', async () => {
  const { ask, sent } = openPool({ connections: 6, connections_max: 2 })
  for (const account of ['a', 'b', 'c', 'd']) for (const number of [1, 2, 3]) ask(account, number)
  await turn()
  const used = (account: string) =>
    new Set(sent.filter(({ name }) => name.startsWith(account)).map(({ connection }) => connection)).size
  assert.deepEqual(['a', 'b', 'c', 'd'].map(used), [2, 2, 1, 1])
})

test('accounts that wait take turns, and one with a connection sends nothing more until they had theirs', async () => {
  const { ask, names, end } = openPool({ connections: 1 })
  for (const [account, count] of [
    ['a', 2],
    ['b', 5],
    ['c', 1],
  ] as const) {
    for (let number = 1; number <= count; number++) ask(account, number)
  }
  await turn()
  assert.deepEqual(names(), ['a1', 'a2'])
  ask('a', 3)
  await turn()
  assert.deepEqual(names(), ['a1', 'a2'])
  const order = ['a1', 'a2', 'b1', 'b2', 'c1', 'a3', 'b3', 'b4', 'b5']
  for (const name of order) await end(name)
  assert.deepEqual(names(), order)
})

test('an account waits in a queue of its own: one that is full refuses only its own statements', async () => {
  const { ask, end, names } = openPool({ connections: 1, waiting_max: 3 })
  ask('a', 1)
  await turn()
  const waiting = [1, 2, 3].map((number) => ask('b', number))
  await assert.rejects(ask('b', 4).answer, /too many/)
  const other = ask('c', 1)
  for (const name of ['a1', 'b1', 'b2', 'c1', 'b3']) await end(name)
  await Promise.all([...waiting, other].map(({ answer }) => answer))
  assert.equal(names().length, 5)
})

test('a connection whose statement fails, or that cannot be opened, serves the next account', async () => {
  let fails = true
  const connection = {
    db: async () => {
      if (fails) throw new Error('no connection')
      return 'connection'
    },
  }
  const limits = { connections_max: 1, turn: 1, waiting_max: 9, refusal: () => new Error('too many') }
  const pool = createReaderPool([connection], limits)
  const read = (account: string) => pool.run(account, async (db) => db)
  await assert.rejects(read('a'), /no connection/)
  fails = false
  assert.deepEqual(await Promise.all([read('a'), read('b')]), ['connection', 'connection'])
})
