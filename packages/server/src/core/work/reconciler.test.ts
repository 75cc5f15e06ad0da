import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { openLog } from '../base/log.ts'
import { openDatabase, statement } from '../db/db.ts'
import { emptyDueChanges, readDue, scheduleDue, sendDueChanges } from './due.ts'
import { createReconcilerLoop, lockedElsewhere, type StepResult } from './reconciler.ts'
import type { Runtime } from './runtime.ts'

const server = await startTestServer()
const inside = leftOut(server.inside ? false : 'needs the inside of the server')
// A separate database, in which nothing else is due.
const database = await createTestDatabase()
const open = openDatabase(database.target)
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const kind = 'rested'

async function wake(...keys: string[]): Promise<void> {
  const requests = emptyDueChanges()
  for (const key of keys) scheduleDue(requests, kind, key, 0)
  await Promise.all(sendDueChanges(open.reader, requests))
}

test('the loop pauses after a round, and then handles all wake-ups of the pause together', inside, async () => {
  const runtime: Runtime = { ...(server.inside?.runtime as Runtime), database: open }
  let now = 1000
  const rests = expecting<{ milliseconds: number; end(): void }>()
  const answered = expecting<string[]>()
  const idle = async (_ctx: unknown, keys: readonly string[]) => {
    answered.come(keys.toSorted())
    return [...keys]
  }
  const time = {
    monotonic: () => now,
    pause: (milliseconds: number) => new Promise<void>((end) => rests.come({ milliseconds, end })),
    // The poll timer never fires here, so each round comes from a kick.
    every: () => () => {},
  }
  const loop = createReconcilerLoop(runtime, [{ kind, step: async () => undefined, idle }], { time })
  await wake('a')
  loop.start()
  assert.deepEqual(await answered.next(), ['a'], 'woken by itself: answered at once')
  loop.kick()
  const rest = await rests.next()
  assert.equal(rest.milliseconds, 20)
  for (const key of ['b', 'c']) {
    await wake(key)
    loop.kick()
  }
  assert.equal(answered.count(), 0, 'nothing is looked for in a rest')
  now += 20
  rest.end()
  assert.deepEqual(await answered.next(), ['b', 'c'])
  await loop.stop()
  assert.equal(rests.count(), 0)
})

test('a key that another transaction has locked stays due, and does not stop later due rows', inside, async () => {
  const runtime: Runtime = { ...(server.inside?.runtime as Runtime), database: open }
  const stepped: string[] = []
  let isLocked = true
  const step = async (_ctx: unknown, key: string): Promise<StepResult> => {
    if (key === 'locked' && isLocked) return lockedElsewhere
    stepped.push(key)
    return undefined
  }
  const loop = createReconcilerLoop(runtime, [{ kind, step }])
  await wake('locked', 'later')
  await open.reader.run(statement('test.due_earlier', "update due set due_at = due_at - 10 where key = 'locked'"), [])
  const [before] = await readDue(open.reader, 1, [kind])
  assert.equal(await loop.drain(), 1)
  assert.deepEqual(stepped, ['later'])
  assert.deepEqual(
    await readDue(open.reader, 10, [kind]),
    [before],
    'whoever waits until nothing is due goes on waiting',
  )
  isLocked = false
  assert.equal(await loop.drain(), 1)
  assert.deepEqual(stepped, ['later', 'locked'])
  assert.deepEqual(await readDue(open.reader, 10, [kind]), [])
})

test('work of a kind that only newer programs know is left to them, without an error', inside, async () => {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const runtime: Runtime = { ...(server.inside?.runtime as Runtime), database: open, log }
  const stepped: string[] = []
  const step = async (_ctx: unknown, key: string): Promise<StepResult> => {
    stepped.push(key)
    return undefined
  }
  await wake('own')
  await open.reader.run(
    statement(null, "insert into due (kind, key, due_at) values ('newer.kind', 'theirs', bourse_now() - 100)"),
  )
  assert.equal(await createReconcilerLoop(runtime, [{ kind, step }]).drain(), 1)
  assert.deepEqual([stepped, lines], [['own'], []])
  const [left] = await readDue(open.reader, 1, ['newer.kind'])
  assert.equal(left?.attempt, 0)
  assert.equal(await open.reader.run(statement(null, "delete from due where kind = 'newer.kind'")), 1)
})

/** A queue of values that a test can await one by one. */
function expecting<T>() {
  const here: T[] = []
  let waiting: ((thing: T) => void) | undefined
  return {
    /** The number of values that have not been taken. */
    count: () => here.length,
    come: (thing: T) => {
      if (!waiting) return void here.push(thing)
      waiting(thing)
      waiting = undefined
    },
    next: (): Promise<T> => {
      const first = here.shift()
      if (first !== undefined) return Promise.resolve(first)
      return new Promise((resolve) => {
        waiting = resolve
      })
    },
  }
}
