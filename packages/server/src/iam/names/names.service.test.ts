import assert from 'node:assert/strict'
import { errorCodes } from '@bourse/api/kit/errors.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { isRefusal } from '../../core/base/refusal.ts'
import { systemCommand, systemOrigin } from '../../core/work/command.ts'
import { type Caller, type Ctx, callerOf } from '../../core/work/ctx.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { noRights } from '../access/permissions.rules.ts'
import {
  claimName,
  claimNames,
  pickSummary,
  releaseName,
  renameName,
  resolveFilter,
  resolveRef,
  resolveRefs,
  summaries,
} from './names.service.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const inside = leftOut(server.inside ? false : 'needs the inside of the server')
const account = await server.account()
const workspace_id = account.workspace_id as Id<'workspace'>
const account_id = account.id

const run = <T>(work: (ctx: Ctx) => Promise<T>): Promise<T> => systemCommand(runtime, work)
const claim = (
  ctx: Ctx,
  request: { name?: string; template?: string; id?: string; kind?: 'image' | 'pool' | 'firewall' | 'instance' },
) => {
  const { kind = 'image' } = request
  return claimName(ctx, { id: ctx.newId(kind), kind, account_id, workspace_id, ...request })
}
const taken = (error: unknown) => isRefusal(error, 'name_taken') && error.data.field === 'name'

test('ids resolve without a look-up, and the older prefix of images is accepted', inside, async () => {
  await run(async (ctx) => {
    assert.equal(await resolveRef(ctx, 'pool', 'pool_whatever'), 'pool_whatever')
    assert.equal(await resolveRef(ctx, 'image', 'vmi_abc' as Id<'image'>), 'image_abc')
  })
})

test('a path of any account resolves to its id, and an unknown path to undefined', inside, async () => {
  const id = await run(async (ctx) => {
    const id = ctx.newId('image')
    await claim(ctx, { id, name: 'found' })
    await claim(ctx, { name: 'found', kind: 'pool' })
    return id
  })
  const path = (kind: string, name: string, workspace = 'default') =>
    `svc:${kind}:${account_id}:${workspace}:${name}` as `svc:image:${string}`
  await run(async (ctx) => {
    const refs = [path('image', 'found'), path('image', 'Found'), id, path('image', 'found', 'other')]
    assert.deepEqual(await resolveRefs(ctx, 'image', refs), [id, undefined, id, undefined])
    assert.deepEqual(await resolveFilter(ctx, 'image', refs), [id, id])
    assert.equal(await resolveFilter(ctx, 'image', undefined), undefined)
    const pool = await resolveRef(ctx, 'pool', `svc:pool:${account_id}:default:found`)
    assert.match(String(pool), /^pool_/)
  })
})

test('paths of built-in roles resolve in the caller’s account, and in all for the operator', inside, async () => {
  const as = (caller: Partial<Caller> | undefined, path: `svc:role:${string}`) => {
    const none = {
      token_id: 'tokn_x',
      account_id,
      workspace_id,
      is_frozen: false,
      is_platform: false,
      rights: noRights,
      principal: { type: 'token' as const, id: 'tokn_x', name: 'x' },
    }
    const origin = caller ? { ...systemOrigin, caller: { ...none, ...caller } as Caller } : systemOrigin
    return query(runtime, origin, async (ctx) => {
      if (caller) assert.equal(callerOf(ctx).token_id, 'tokn_x')
      return resolveRef(ctx, 'role', path)
    })
  }
  assert.equal(await as({}, `svc:role:${account_id}:admin`), 'role_admin')
  assert.equal(await as({}, 'svc:role:other:admin'), undefined)
  assert.equal(await as({}, `svc:role:${account_id}:toString`), undefined)
  assert.equal(await as({ is_platform: true }, 'svc:role:other:viewer'), 'role_viewer')
  assert.equal(await as(undefined, 'svc:role:other:viewer'), 'role_viewer')
})

test('a name belongs to one resource of its kind in a workspace until it is released', inside, async () => {
  const id = await run(async (ctx) => {
    const id = ctx.newId('image')
    assert.equal(await claim(ctx, { id, name: 'one' }), 'one')
    return id
  })
  await assert.rejects(
    run((ctx) => claim(ctx, { name: 'one' })),
    taken,
  )
  await run((ctx) => claim(ctx, { name: 'one', kind: 'pool' }))
  const other = await run(async (ctx) => {
    const other = ctx.newId('image')
    await claim(ctx, { id: other, name: 'other' })
    return other
  })
  await assert.rejects(
    run((ctx) => renameName(ctx, { id: other, kind: 'image', name: 'one' })),
    taken,
  )
  const path = `svc:image:${account_id}:default:one` as const
  const resolved = () => run((ctx) => resolveRef(ctx, 'image', path))
  assert.equal(await resolved(), id)
  await run((ctx) => releaseName(ctx, id))
  assert.equal(await resolved(), undefined)
  await run((ctx) => renameName(ctx, { id: other, kind: 'image', name: 'one' }))
  await assert.rejects(
    run((ctx) => renameName(ctx, { id, kind: 'image', name: 'again' })),
    (error) => isRefusal(error, 'not_found'),
  )
})

test('a refused claim takes no name', inside, async () => {
  const half = run(async (ctx) => {
    await claim(ctx, { name: 'half' })
    await claim(ctx, { name: 'half' })
  })
  await assert.rejects(half, taken)
  await run((ctx) => claim(ctx, { name: 'half' }))
})

test('names are drawn until one is free, and refused when none is left', inside, async () => {
  const template = 'only-{{nanoid(1)}}'
  const names = new Set<string>()
  const draw = () => run((ctx) => claim(ctx, { template }))
  // There are 62 names, and a claim draws up to 25 times. While a third of the names are free, no claim is refused.
  for (let i = 0; i < 40; i++) names.add(await draw())
  assert.equal(names.size, 40)
  const rest = async (): Promise<void> => {
    for (let i = 0; i < 5_000; i++) await draw()
  }
  await assert.rejects(rest(), taken)
})

test('one call claims many names, drawn and requested', inside, async () => {
  await run(async (ctx) => {
    const requests = Array.from({ length: 60 }, (_, i) => ({
      id: ctx.newId('firewall'),
      kind: 'firewall' as const,
      account_id,
      workspace_id,
      ...(i % 3 === 0 ? { name: `batch-${i}` } : { template: 'b-{{nanoid(2)}}' }),
    }))
    const names = await claimNames(ctx, requests)
    assert.equal(new Set(names.values()).size, 60)
    for (const request of requests) if ('name' in request) assert.equal(names.get(request.id), request.name)
    const duplicates = requests.slice(0, 2).map((request) => ({ ...request, id: ctx.newId('firewall'), name: 'same' }))
    await assert.rejects(claimNames(ctx, duplicates), taken)
  })
})

test('only of an instance it is said that a terminated one keeps its name', inside, async () => {
  for (const kind of ['pool', 'instance'] as const) {
    const twice = run(async (ctx) => {
      await claim(ctx, { name: 'kept', kind })
      await claim(ctx, { name: 'kept', kind })
    })
    await assert.rejects(twice, (error) => {
      return taken(error) && /terminated/.test(String(error)) === (kind === 'instance')
    })
  }
  assert.doesNotMatch(errorCodes.name_taken.user, /instance/)
})

test(
  'of commands that claim the same names in different orders, one succeeds and the others are refused',
  inside,
  async () => {
    const requests = ['x1', 'x2', 'x3', 'x4']
    const attempts = Array.from({ length: 12 }, (_, i) =>
      run((ctx) =>
        claimNames(
          ctx,
          (i % 2 ? requests : requests.toReversed()).map((name) => ({
            id: ctx.newId('pool'),
            kind: 'pool',
            account_id,
            workspace_id,
            name,
          })),
        ),
      ),
    )
    const outcomes = await Promise.allSettled(attempts)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') assert.ok(taken(outcome.reason))
  },
)

test('summaries show the present path, include deleted resources and leave out unknown ids', inside, async () => {
  const [image, pool, spot] = await run(async (ctx) => {
    const ids = [ctx.newId('image'), ctx.newId('pool'), ctx.newId('deployment')] as const
    await claim(ctx, { id: ids[0], name: 'shown' })
    await claim(ctx, { id: ids[1], name: 'shown', kind: 'pool' })
    const request = { id: ids[2], kind: 'deployment' as const, account_id, workspace_id, name: 'spot' }
    await claimName(ctx, { ...request, shown_as: 'spot_deployment' })
    await releaseName(ctx, ...ids)
    return ids
  })
  await server.call('update_workspace', { params: { id: workspace_id }, token: account.token, body: { name: 'moved' } })
  await run(async (ctx) => {
    const found = await summaries(ctx, [image, pool, spot, workspace_id, null, undefined, 'image_never'])
    assert.deepEqual([...found.keys()].sort(), [image, spot, workspace_id].sort())
    assert.deepEqual(pickSummary(found, 'image', image), {
      object: 'image',
      id: image,
      name: 'shown',
      resource_path: `svc:image:${account_id}:moved:shown`,
    })
    assert.equal(found.get(spot)?.object, 'spot_deployment')
    assert.equal(pickSummary(found, 'workspace', workspace_id).resource_path, `svc:workspace:${account_id}:moved`)
    assert.throws(() => pickSummary(found, 'pool', pool))
    assert.equal((await summaries(ctx, [null])).size, 0)
  })
})
