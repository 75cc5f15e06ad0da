import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { isRefusal } from '../../core/base/refusal.ts'
import { systemCommand } from '../../core/work/command.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { returnLimit, takeLimit } from './limit-usage.service.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const inside = leftOut(server.inside ? false : 'needs the inside of the server')
const run = <T>(work: (ctx: Ctx) => Promise<T>): Promise<T> => systemCommand(runtime, work)

async function used(token: string, name: string): Promise<number> {
  return (await server.call('get_limit', { params: { name }, token })).used
}

test('returning usage does not wait for the lock of the account and counts at once', inside, async () => {
  const { id, token } = await server.account()
  await run((ctx) => takeLimit(ctx, id, 'instances', 5))
  await run(async (ctx) => {
    await takeLimit(ctx, id, 'instances', 2)
    // This command holds the account's lock. If the other one waited for it, it would be refused after two seconds.
    await run((other) => returnLimit(other, id, 'instances', 4))
  })
  assert.equal(await used(token, 'instances'), 3)
  await run((ctx) => takeLimit(ctx, id, 'instances', 1))
  assert.equal(await used(token, 'instances'), 4)
})

test('returned usage can be taken again, up to the limit and not beyond', inside, async () => {
  const name = 'instance_templates'
  const { id, token } = await server.account({ trust_level: 'untrusted' })
  await run((ctx) => takeLimit(ctx, id, name, 5))
  const more = (amount: number) => run((ctx) => takeLimit(ctx, id, name, amount))
  await assert.rejects(more(1), (error) => isRefusal(error, 'limit_exceeded'))
  await run((ctx) => returnLimit(ctx, id, name, 2))
  await assert.rejects(more(3), (error) => isRefusal(error, 'limit_exceeded'))
  await more(2)
  assert.equal(await used(token, name), 5)
  await more(0)
  await run((ctx) => returnLimit(ctx, id, name, 0))
  assert.equal(await used(token, name), 5)
})

test('a command that fails takes nothing', inside, async () => {
  const { id, token } = await server.account()
  const failed = run(async (ctx) => {
    await takeLimit(ctx, id, 'pools', 3)
    await returnLimit(ctx, id, 'images', 1)
    throw new Error('on purpose')
  })
  await assert.rejects(failed, /on purpose/)
  assert.deepEqual([await used(token, 'pools'), await used(token, 'images')], [0, 0])
})

test('concurrent takes and returns leave exactly what is in use', inside, async () => {
  const { id, token } = await server.account()
  let open = 0
  const one = async (index: number): Promise<void> => {
    for (let i = 0; i < 6; i++) {
      await run((ctx) => takeLimit(ctx, id, 'deployments', 1))
      if ((i + index) % 3 === 0) open += 1
      else await run((ctx) => returnLimit(ctx, id, 'deployments', 1))
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, index) => one(index)))
  assert.equal(await used(token, 'deployments'), open)
})
