/** What holds for subnets, InfiniBand partitions and firewalls alike. What is special of a kind is in its own file. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { makeToken } from '../support/access.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { makeValue } from '../support/fixtures/fleet.ts'
import {
  assertInUse,
  assertKeys,
  assertNameRule,
  assertPages,
  assertRights,
  assertTagFilters,
  assertTags,
  idsOf,
  refusalOf,
} from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const region = 'north-1'
const infiniband_fabric = 'fabric-a'
const ssh = { protocol: 'tcp', port_from: 22, port_to: 22, source_cidr: '0.0.0.0/0' }

/** A kind of resource, and what differs between the kinds. */
type NetworkCase = (typeof kinds)[number]

const kinds = [
  {
    kind: 'subnet',
    prefix: 'snet',
    path: '/preview/v2/subnets',
    create: 'create_subnet',
    list: 'list_subnets',
    get: 'get_subnet',
    update: 'update_subnet',
    remove: 'delete_subnet',
    /** The fields that a creation needs, and another creation that is valid. */
    needed: { region },
    other: { region: 'other' },
    /** The own fields of a creation, and how a response shows them. */
    whole: { region, cidr: '192.168.4.0/22' },
    shown: { region, cidr: '192.168.4.0/22', available_addresses: 1024 - 5 },
    /** The own fields that an update does not take. */
    fixed: { region: 'other', cidr: '10.2.0.0/16' },
    /** How many of them an account without trust may have. */
    limit: 2,
    /** How an instance refers to it, the SKU that it needs for that, and the code that refuses a deletion. */
    fields: (id: string) => ({ subnet: id }),
    sku: { region },
    in_use: 'in_use',
  },
  {
    kind: 'infiniband_partition',
    prefix: 'ibpart',
    path: '/preview/v2/infiniband_partitions',
    create: 'create_infiniband_partition',
    list: 'list_infiniband_partitions',
    get: 'get_infiniband_partition',
    update: 'update_infiniband_partition',
    remove: 'delete_infiniband_partition',
    needed: { infiniband_fabric },
    other: { infiniband_fabric: 'fabric-b' },
    whole: { infiniband_fabric },
    shown: { infiniband_fabric },
    fixed: { infiniband_fabric: 'fabric-b' },
    limit: 1,
    fields: (id: string) => ({ _preview_infiniband_partition: id }),
    sku: { rdma_type: 'infiniband', infiniband_fabric },
    in_use: 'in_use',
  },
  {
    kind: 'firewall',
    prefix: 'frwl',
    path: '/preview/v2/firewalls',
    create: 'create_firewall',
    list: 'list_firewalls',
    get: 'get_firewall',
    update: 'update_firewall',
    remove: 'delete_firewall',
    needed: {},
    other: { rules: [ssh] },
    whole: { rules: [ssh] },
    shown: { is_default: false, rules: [ssh] },
    fixed: { rules: [], is_default: true },
    limit: 2,
    fields: (id: string) => ({ _preview_enable_public_ipv4: true, _preview_firewall: id }),
    sku: { supports_public_ipv4: true },
    in_use: 'firewall_in_use',
  },
] as const

const server = await startTestServer()
const account = await server.account({ trust_level: 'partner' })
const { token } = account

await makeValue(server, 'region', region)
for (const name of ['fabric-a', 'fabric-b']) {
  await makeValue(server, 'infiniband_fabric', name)
  await server.call('create_sku', { body: { rdma_type: 'infiniband', infiniband_fabric: name } })
}

function makeWorkspace() {
  return server.call('create_workspace', { token, body: {} })
}

function ask({ create, needed }: NetworkCase, body: object = {}, by = token) {
  return server.attempt(create, { token: by, body: { ...needed, ...body } })
}

async function make(kind: NetworkCase, body: object = {}, by = token) {
  const made = await ask(kind, body, by)
  assert.equal(made.status, 201, made.text)
  return made.body
}

function get({ get }: NetworkCase, id: string) {
  return server.attempt(get, { params: { id }, token })
}

function update({ update }: NetworkCase, id: string, body: object) {
  return server.attempt(update, { params: { id }, token, body })
}

function remove({ remove }: NetworkCase, id: string, by = token) {
  return server.attempt(remove, { params: { id }, token: by })
}

/** Where the assertions of all resources find the kind. */
function placeOf({ path }: NetworkCase) {
  return { server, token, path }
}

function pathOf({ kind }: NetworkCase, name: string): string {
  return `svc:${kind}:${account.id}:default:${name}`
}

test.each(kinds)('$kind: it is created with all fields and read by its id and by its path', async (kind) => {
  const { prefix } = kind
  const made = await make(kind, { name: 'whole', ...kind.whole, tags: { team: 'blue' } })
  const me = await server.call('get_account', { token })
  assert.deepEqual(made, {
    object: kind.kind,
    id: made.id,
    resource_path: pathOf(kind, 'whole'),
    workspace: me.workspace,
    name: 'whole',
    ...kind.shown,
    tags: { team: 'blue' },
    created_at: made.created_at,
    updated_at: made.created_at,
  })
  assert.match(made.id, new RegExp(`^${prefix}_[0-9a-zA-Z_-]{21}$`))
  for (const ref of [made.id, made.resource_path]) assert.deepEqual((await get(kind, ref)).body, made)
})

test.each(kinds)(
  '$kind: its name and its workspace have defaults; the workspace is named by its id or its path',
  async (kind) => {
    for (const made of [await make(kind), await make(kind, { name: null })]) {
      assert.match(made.name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
      assert.deepEqual([made.tags, made.workspace.id], [null, account.workspace_id])
    }
    const elsewhere = await makeWorkspace()
    for (const workspace of [elsewhere.id, elsewhere.resource_path]) {
      assert.equal((await make(kind, { workspace })).workspace.id, elsewhere.id)
    }
  },
)

test.each(kinds)('$kind: names are validated and unique in a workspace', async (kind) => {
  const { path } = kind
  await assertNameRule(placeOf(kind), 'POST', kind.needed)
  const made = await make(kind, { name: 'x'.repeat(255) })
  await assertNameRule({ ...placeOf(kind), path: `${path}/${made.id}` }, 'PATCH', {})
  await make(kind, { name: 'taken' })
  assert.deepEqual(refusalOf(await ask(kind, { name: 'taken' })), [409, 'name_taken', 'name'])
  assert.deepEqual(refusalOf(await update(kind, made.id, { name: 'taken' })), [409, 'name_taken', 'name'])
  await make(kind, { name: 'Taken' })
  await make(kind, { name: 'taken', workspace: (await makeWorkspace()).id })
  await make(kind, { name: 'taken' }, (await server.account()).token)
})

test.each(kinds)('$kind: of 32 concurrent creations with one name, one succeeds', async (kind) => {
  const responses = await Promise.all(Array.from({ length: 32 }, () => ask(kind, { name: 'raced' })))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(31).fill(409)])
})

test.each(kinds)('$kind: concurrent creations without names all succeed', async (kind) => {
  const workspace = (await makeWorkspace()).id
  const before = await idsOf(placeOf(kind), `workspace=${workspace}`)
  const made = await Promise.all(Array.from({ length: 8 }, () => make(kind, { workspace })))
  const ids = await idsOf(placeOf(kind), `workspace=${workspace}`)
  assert.deepEqual(ids.sort(), [...made.map(({ id }) => id), ...before].sort())
})

test.each(kinds)('$kind: an update changes name and tags only, keeps the id and frees the old name', async (kind) => {
  const { prefix } = kind
  const made = await make(kind, { name: 'before', tags: { a: '1' }, ...kind.other })
  await server.advance(5)
  const renamed = (await update(kind, made.resource_path, { name: 'after' })).body
  const changed = { name: 'after', resource_path: pathOf(kind, 'after'), updated_at: renamed.updated_at }
  assert.deepEqual(renamed, { ...made, ...changed })
  assert.ok(renamed.updated_at >= made.updated_at + 5)
  assert.deepEqual((await get(kind, made.id)).body, renamed)
  assert.equal((await get(kind, made.resource_path)).status, 404)
  await make(kind, { name: 'before' })
  assert.deepEqual(refusalOf(await update(kind, made.id, { name: null })), [400, 'invalid_type', 'name'])
  assert.equal((await update(kind, `${prefix}_absent`, {})).status, 404)
  for (const [field, value] of Object.entries(kind.fixed)) {
    assert.deepEqual(refusalOf(await update(kind, made.id, { [field]: value })), [400, 'unknown_field', field])
  }
})

test.each(kinds)('$kind: tags are validated', async (kind) => {
  await assertTags(placeOf(kind), kind.needed)
})

test.each(kinds)(
  '$kind: a deletion is 204 without a body, once, by id and by path, and frees the name',
  async (kind) => {
    for (const by of ['id', 'resource_path'] as const) {
      const made = await make(kind, { name: 'passing' })
      const gone = await remove(kind, made[by])
      assert.deepEqual([gone.status, gone.text, gone.headers.get('content-type')], [204, '', null])
      for (const again of [
        await remove(kind, made[by]),
        await get(kind, made.id),
        await get(kind, made.resource_path),
        await update(kind, made.id, {}),
      ]) {
        assert.deepEqual([again.status, again.body.error.type, again.body.error.details], [404, 'not_found', undefined])
      }
    }
    const { id } = await make(kind, { name: 'passing' })
    const withBody = await server.attempt(kind.remove, { params: { id }, token, body: { ignored: true } })
    assert.equal(withBody.status, 204)
  },
)

test.each(kinds)('$kind: it cannot be deleted while a template or a living instance refers to it', async (kind) => {
  const { sku, pool, image } = await makeCapacity(server, account, { sku: kind.sku })
  await assertInUse(placeOf(kind), { fields: kind.fields, sku, pool, image }, () => make(kind), kind.in_use)
})

test.each(kinds)('$kind: a reference that is neither an id nor a path of its kind is refused', async (kind) => {
  const { path, prefix } = kind
  const other = kind.kind === 'subnet' ? 'firewall' : 'subnet'
  for (const ref of [
    'web',
    `${prefix}_`,
    `${prefix}_${'a'.repeat(22)}`,
    'inst_abc',
    `${prefix}_a%20b`,
    `${prefix}_a%0A`,
    `svc:${other}:${account.id}:default:web`,
    `svc:${kind.kind}:${account.id}:web`,
    `svc:${kind.kind}:a:b:c:d`,
    `svc:${kind.kind}:${account.id}::web`,
  ]) {
    for (const method of ['GET', 'DELETE']) {
      const response = await server.request(method, `${path}/${ref}`, { token })
      assert.deepEqual(refusalOf(response), [400, 'invalid_format', 'id'], `${method} ${ref}`)
    }
  }
  for (const ref of [`${prefix}_a`, `${prefix}_${'a'.repeat(21)}`, pathOf(kind, 'absent'), `svc:${kind.kind}:a:b:c`]) {
    assert.equal((await remove(kind, ref)).status, 404, ref)
  }
})

test.each(kinds)('$kind: its list is newest first and works in both directions', async (kind) => {
  const workspace = (await makeWorkspace()).id
  const ids = await idsOf(placeOf(kind), `workspace=${workspace}`)
  for (let count = 0; count < 5; count++) ids.unshift((await make(kind, { workspace })).id)
  await assertPages(placeOf(kind), ids, `workspace=${workspace}`)
  assert.deepEqual((await idsOf(placeOf(kind))).slice(0, 5), ids.slice(0, 5))
})

test.each(kinds)(
  '$kind: rows that one server makes one after the other within a second come after a cursor of before',
  async (kind) => {
    const workspace = (await makeWorkspace()).id
    const read = async (more: object) =>
      (await server.attempt(kind.list, { query: { workspace, ...more }, token })).body
    await make(kind, { workspace })
    let { cursor } = await read({})
    for (let round = 0; round < 5; round++) {
      const made = [(await make(kind, { workspace })).id, (await make(kind, { workspace })).id]
      const page = await read({ ending_before: cursor })
      assert.deepEqual(
        page.data.map(({ id }) => id),
        made.toReversed(),
      )
      cursor = page.cursor
    }
  },
)

test.each(kinds)('$kind: a list filters by workspace, ids, paths and tags and ignores unknown ones', async (kind) => {
  const { prefix } = kind
  const workspace = await makeWorkspace()
  const own = await idsOf(placeOf(kind), `workspace=${workspace.id}`)
  const one = await make(kind, { workspace: workspace.id })
  const two = await make(kind, { workspace: workspace.id, ...kind.other })
  const stranger = await make(kind, {}, (await server.account()).token)
  const absent = `id=${prefix}_absent&id=${pathOf(kind, 'none')}&id=${stranger.id}&id=${stranger.resource_path}`
  assert.deepEqual(await idsOf(placeOf(kind), `id=${one.id}&id=${two.resource_path}&${absent}`), [two.id, one.id])
  assert.deepEqual(await idsOf(placeOf(kind), absent), [])
  for (const ref of [workspace.id, workspace.resource_path]) {
    assert.deepEqual(await idsOf(placeOf(kind), `workspace=${ref}`), [two.id, one.id, ...own])
  }
  assert.deepEqual(await idsOf(placeOf(kind), `id=${one.id}&workspace=${account.workspace_id}`), [])
  assert.deepEqual(await idsOf(placeOf(kind), 'workspace=wksp_absent'), [])
  assert.deepEqual(await idsOf(placeOf(kind), `workspace=${stranger.workspace.id}`), [])
  await assertTagFilters(placeOf(kind), (tags) => make(kind, { tags }))
})

test.each(kinds)('$kind: a list shows the rows of workspaces where the caller may list', async (kind) => {
  const elsewhere = await makeWorkspace()
  const made = await make(kind, { workspace: elsewhere.id })
  const lister = await makeToken(server, account, { [kind.kind]: ['list'] }, elsewhere.id)
  assert.deepEqual((await idsOf({ ...placeOf(kind), token: lister.token })).slice(0, 1), [made.id])
  assert.deepEqual(await idsOf({ ...placeOf(kind), token: lister.token }, `workspace=${account.workspace_id}`), [])
})

test.each(kinds)('$kind: an idempotency key creates one', async (kind) => {
  await assertKeys(placeOf(kind), account, kind.needed, kind.other)
})

test.each(kinds)('$kind: each operation needs its verb; without any verb it is 404', async (kind) => {
  const { path } = kind
  const at = `${path}/${(await make(kind)).id}`
  await assertRights(server, account, kind.kind, {
    [kind.create]: { method: 'POST', path, body: kind.needed, verb: 'create' },
    [kind.list]: { method: 'GET', path, verb: 'list' },
    [kind.get]: { method: 'GET', path: at, verb: 'read' },
    [kind.update]: { method: 'PATCH', path: at, body: {}, verb: 'write' },
    [kind.remove]: { method: 'DELETE', path: at, verb: 'delete' },
  })
})

test.each(kinds)('$kind: it cannot be created in a workspace that is invisible to the caller', async (kind) => {
  const elsewhere = await makeWorkspace()
  const stranger = await server.account()
  const local = await makeToken(server, account, { [kind.kind]: ['*'] })
  for (const [by, workspace] of [
    [token, 'wksp_absent'],
    [token, stranger.workspace_id],
    [token, `svc:workspace:${stranger.id}:default`],
    [local.token, elsewhere.id],
  ] as const) {
    assert.deepEqual(refusalOf(await ask(kind, { workspace }, by)), [422, 'reference_not_found', 'workspace'])
  }
})

test.each(kinds)('$kind: its limit is enforced and does not count deleted ones', async (kind) => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const made = await make(kind, {}, token)
  for (let count = 1; count < kind.limit; count++) await make(kind, {}, token)
  const over = await ask(kind, {}, token)
  assert.deepEqual(refusalOf(over), [422, 'limit_exceeded', null])
  assert.match(over.body.error.message, new RegExp(`${kind.kind}s`))
  await remove(kind, made.id, token)
  await make(kind, {}, token)
})

test.each(kinds)('$kind: a frozen account can read but not change it', async (kind) => {
  const { id: accountId, token } = await server.account()
  const { id } = await make(kind, {}, token)
  await server.call('freeze_account', { params: { account: accountId } })
  await eventually('the account may create nothing', async () => {
    assert.equal((await ask(kind, {}, token)).status, 403)
    return true
  })
  const params = { id }
  assert.equal((await server.attempt(kind.get, { params, token })).status, 200)
  assert.equal((await server.attempt(kind.list, { token })).status, 200)
  assert.equal((await server.attempt(kind.update, { params, token, body: {} })).status, 403)
  assert.equal((await server.attempt(kind.remove, { params, token })).status, 403)
})
