import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeAccountToken, makeToken, platformAccount } from '../support/access.ts'
import { assertNameRule, assertPages, assertRights, idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const platform = await platformAccount(server)
const account = await server.account()
const { token } = account
const me = await server.call('get_account', { token })
const path = '/v2/images'
const making = '/sandbox/images'
const administration = '/preview/v2/admin/images'
const publicWorkspace = `svc:workspace:${platform.id}:public`
const place = { server, token, path }
let made = 0

async function make(fields: object = {}, by = token) {
  made += 1
  return server.call('create_ready_image', { token: by, body: { name: `image-${made}`, ...fields } })
}

function makePublic() {
  return make({ is_public: true })
}

function change(id: string, action: string, body?: object, by = token) {
  return server.request('POST', `${path}/${id}/${action}`, { token: by, ...(body ? { body } : {}) })
}

function administer(id: string, action: string, body?: object) {
  return server.request('POST', `${administration}/${id}/${action}`, body ? { body } : {})
}

/** The events about one image in the log of an account, oldest first. */
async function eventsOf(id: string, by: { token: string }): Promise<[string, string][]> {
  const { data } = await server.call('list_events', { query: { target: id }, token: by.token })
  for (const event of data) assert.deepEqual(event.targets, [{ type: 'image', id }])
  return data.map(({ action, actor }: { action: string; actor: { type: string } }) => [action, actor.type])
}

async function makeTemplate(owner: TestAccount, image: string): Promise<{ id: string }> {
  return server.call('create_instance_template', { token: owner.token, body: { image } })
}

test('create_ready_image adds a completed image that is read by its id, its older id and its path', async () => {
  const image = await make({ name: 'base' })
  assert.match(image.sha256, /^[0-9a-f]{64}$/)
  assert.deepEqual(
    { ...image },
    {
      object: 'image',
      id: image.id,
      resource_path: `svc:image:${account.id}:default:base`,
      workspace: me.workspace,
      name: 'base',
      is_public: false,
      state: 'completed',
      failure_reason: null,
      sha256: image.sha256,
      size_bytes: image.size_bytes,
      format: 'qcow2',
      virtual_size_bytes: 20 * 2 ** 30,
      deprecated_at: null,
      deprecation_message: null,
      revoked_at: null,
      created_at: image.created_at,
    },
  )
  assert.match(image.id, /^image_[0-9a-zA-Z_-]{21}$/)
  const older = image.id.replace('image_', 'vmi_')
  for (const ref of [image.id, older, image.resource_path]) {
    assert.deepEqual(await server.call('get_image', { params: { id: ref }, token }), image)
  }
})

test('an image is created in the requested workspace, and its name and workspace are validated', async () => {
  const workspace = await server.call('create_workspace', { token, body: {} })
  for (const ref of [workspace.id, workspace.resource_path]) {
    assert.equal((await make({ workspace: ref })).workspace.id, workspace.id)
  }
  await make({ name: 'taken' })
  const stranger = await server.account()
  for (const [body, refusal] of [
    [{}, [400, 'required', 'name']],
    [{ name: 'taken' }, [409, 'name_taken', 'name']],
    [{ name: 'a', workspace: 'wksp_absent' }, [422, 'reference_not_found', 'workspace']],
    [{ name: 'a', workspace: stranger.workspace_id }, [422, 'reference_not_found', 'workspace']],
    [{ name: 'a', workspace: workspace.id, is_public: true }, [422, 'not_applicable', 'workspace']],
  ] as const) {
    assert.deepEqual(refusalOf(await server.attempt('create_ready_image', { token, body })), refusal)
  }
  await assertNameRule({ ...place, path: making }, 'POST', {})
})

test('revoke_image and reinstate_image change the state, each with its event', async () => {
  const { id } = await make()
  const revoked = await change(id, 'revoke')
  assert.deepEqual([revoked.status, revoked.body.state], [200, 'revoked'])
  assert.ok(revoked.body.revoked_at >= revoked.body.created_at)
  assert.deepEqual(refusalOf(await change(id, 'revoke')), [409, 'invalid_state', null])
  assert.deepEqual(await server.call('get_image', { params: { id }, token }), revoked.body)
  const reinstated = await change(revoked.body.resource_path, 'reinstate')
  assert.deepEqual([reinstated.status, reinstated.body.state, reinstated.body.revoked_at], [200, 'completed', null])
  assert.deepEqual(refusalOf(await change(id, 'reinstate')), [409, 'invalid_state', null])
  assert.deepEqual(await eventsOf(id, account), [
    ['image.revoked', 'token'],
    ['image.reinstated', 'token'],
  ])
  const { data } = await server.call('list_events', { query: { target: id }, token })
  assert.deepEqual(data[0].actor, { type: 'token', id: me.token.id })
})

test('of 16 concurrent revocations of one image one succeeds, and there is one event', async () => {
  const { id } = await make()
  const responses = await Promise.all(Array.from({ length: 16 }, () => change(id, 'revoke')))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(15).fill(409)])
  assert.deepEqual(await eventsOf(id, account), [['image.revoked', 'token']])
})

test('deprecate_image is permanent, and a repeat only changes the message', async () => {
  await server.call('freeze_clock')
  const { id } = await make()
  const first = (await change(id, 'deprecate', { message: 'Use base-2.' })).body
  assert.deepEqual([first.state, first.deprecation_message], ['completed', 'Use base-2.'])
  assert.equal(first.deprecated_at, first.created_at)
  await server.advance(60)
  const second = (await change(id, 'deprecate', { message: 'Use base-3.' })).body
  assert.deepEqual(second, { ...first, deprecation_message: 'Use base-3.' })
  for (const body of [undefined, {}, { message: null }])
    assert.deepEqual((await change(id, 'deprecate', body)).body, second)
  assert.deepEqual(await eventsOf(id, account), [['image.deprecated', 'token']])
  await change(id, 'revoke')
  assert.equal((await change(id, 'deprecate', { message: 'Gone.' })).body.deprecation_message, 'Gone.')
  const long = await change(id, 'deprecate', { message: 'm'.repeat(1025) })
  assert.deepEqual(refusalOf(long), [400, 'too_long', 'message'])
  await server.call('resume_clock')
})

test('instances start from a deprecated image, and from a revoked one only after it is reinstated', async () => {
  const { id } = await make()
  await change(id, 'deprecate')
  await makeTemplate(account, id)
  await change(id, 'revoke')
  const response = await server.attempt('create_instance_template', { token, body: { image: id } })
  assert.deepEqual(refusalOf(response), [422, 'image_not_available', 'image'])
  await change(id, 'reinstate')
  await makeTemplate(account, id)
})

test('delete_image is refused while a template refers to the image, and is 204 once', async () => {
  const image = await make({ name: 'passing' })
  const templates = [await makeTemplate(account, image.id), await makeTemplate(account, image.id)]
  const refused = await server.attempt('delete_image', { params: { id: image.id }, token })
  assert.deepEqual(refusalOf(refused), [409, 'in_use', null])
  const messages = refused.body.error.details.map(({ message }) => message)
  for (const { id } of templates) {
    assert.ok(messages.some((message: string) => message.includes(id)))
    await server.call('delete_instance_template', { params: { id }, token })
  }
  assert.equal(messages.length, 2)
  await change(image.id, 'revoke')
  assert.equal((await server.attempt('delete_image', { params: { id: image.id }, token })).status, 204)
  for (const method of ['GET', 'DELETE']) {
    for (const ref of [image.id, image.resource_path]) {
      assert.equal((await server.request(method, `${path}/${ref}`, { token })).status, 404, method)
    }
  }
  for (const action of ['revoke', 'reinstate', 'deprecate']) assert.equal((await change(image.id, action)).status, 404)
  const again = await make({ name: 'passing' })
  assert.equal((await server.attempt('delete_image', { params: { id: again.resource_path }, token })).status, 204)
})

test('a reference that is neither an id nor a path of an image is refused', async () => {
  for (const ref of [
    'base',
    'image_',
    `image_${'a'.repeat(22)}`,
    'inst_a',
    `svc:firewall:${account.id}:default:base`,
  ]) {
    assert.deepEqual(refusalOf(await server.attempt('get_image', { params: { id: ref }, token })), [
      400,
      'invalid_format',
      'id',
    ])
  }
})

test('every caller can read a public image by id and path, even without rights on images', async () => {
  const image = await makePublic()
  assert.deepEqual([image.is_public, image.workspace.resource_path], [true, publicWorkspace])
  const stranger = await server.account()
  const blind = await makeToken(server, account, { secret: ['read'] })
  for (const by of [token, stranger.token, blind.token, platform.token]) {
    for (const ref of [image.id, image.resource_path]) {
      assert.deepEqual(await server.call('get_image', { params: { id: ref }, token: by }), image)
    }
    for (const where of [{ workspace: publicWorkspace }, { public: true }]) {
      const { data } = await server.call('list_images', { query: { ...where, id: [image.id] }, token: by })
      assert.deepEqual(data, [image])
    }
  }
})

test('other accounts list only public images of the public workspace, and only with its filter', async () => {
  const open = await makePublic()
  const hidden = await make({}, platform.token)
  const ids = await idsOf(place, `workspace=${publicWorkspace}`)
  assert.ok(ids.includes(open.id) && !ids.includes(hidden.id))
  assert.ok(!(await idsOf(place)).includes(open.id))
  const own = await idsOf({ ...place, token: platform.token })
  assert.ok(own.includes(open.id) && own.includes(hidden.id))
  assert.equal((await server.attempt('get_image', { params: { id: hidden.id }, token })).status, 404)
  await assertPages({ ...place, token: platform.token }, own, `workspace=${publicWorkspace}`)
})

test('the list of public images has those of the platform only, by state, and takes no workspace', async () => {
  const open = await makePublic()
  const revoked = await makePublic()
  await server.call('revoke_public_image', { params: { id: revoked.id } })
  const mine = await make()
  const hidden = await make({}, platform.token)
  const all = await idsOf(place, 'public=true')
  assert.ok(all.includes(open.id) && all.includes(revoked.id) && !all.includes(mine.id) && !all.includes(hidden.id))
  const usable = await idsOf(place, 'public=true&state=completed')
  assert.ok(usable.includes(open.id) && !usable.includes(revoked.id))
  assert.deepEqual(await idsOf(place, 'public=false'), await idsOf(place))
  assert.deepEqual(await idsOf(place, `public=true&id=${mine.id}`), [])
  const both = await server.attempt('list_images', { token, query: { public: true, workspace: publicWorkspace } })
  assert.deepEqual(refusalOf(both), [422, 'mutually_exclusive', 'workspace'])
  await assertPages(place, all, 'public=true')
})

test('public images refuse every change on /v2, for every caller', async () => {
  const { id } = await makePublic()
  for (const by of [token, platform.token]) {
    for (const action of ['revoke', 'reinstate', 'deprecate']) {
      const response = await change(id, action, undefined, by)
      assert.deepEqual(refusalOf(response), [403, 'forbidden', undefined], action)
    }
    assert.equal((await server.attempt('delete_image', { params: { id }, token: by })).status, 403)
  }
})

test('publish_public_image publishes an image of the public workspace once', async () => {
  const image = await make({}, platform.token)
  const published = await administer(image.id, 'publish')
  assert.deepEqual(published.body, { ...image, is_public: true })
  assert.equal(published.status, 200)
  assert.deepEqual(refusalOf(await administer(image.id, 'publish')), [409, 'already_public', null])
  assert.deepEqual(await eventsOf(image.id, platform), [['image.published', 'system']])
  assert.equal((await server.attempt('get_image', { params: { id: image.id }, token })).status, 200)
})

test('only a completed image in the public workspace of the platform can be published', async () => {
  const workspace = await server.call('create_workspace', { body: {} })
  const elsewhere = await make({ workspace: workspace.id }, platform.token)
  const revoked = await make({}, platform.token)
  await change(revoked.id, 'revoke', undefined, platform.token)
  for (const { id } of [elsewhere, revoked, await make()]) {
    assert.deepEqual(refusalOf(await administer(id, 'publish')), [409, 'invalid_state', null])
  }
  assert.equal((await administer('image_absent', 'publish')).status, 404)
})

test('the operator revokes, reinstates and deprecates public images', async () => {
  const { id, resource_path } = await makePublic()
  assert.equal((await administer(resource_path, 'revoke')).body.state, 'revoked')
  assert.deepEqual(refusalOf(await administer(id, 'revoke')), [409, 'invalid_state', null])
  assert.equal((await administer(id, 'reinstate')).body.state, 'completed')
  assert.deepEqual(refusalOf(await administer(id, 'reinstate')), [409, 'invalid_state', null])
  assert.equal((await administer(id, 'deprecate', { message: 'Old.' })).body.deprecation_message, 'Old.')
  assert.deepEqual(await eventsOf(id, platform), [
    ['image.revoked', 'system'],
    ['image.reinstated', 'system'],
    ['image.deprecated', 'system'],
  ])
})

test('events of a public image are emitted once to each account that uses it, and to no other', async () => {
  const { id } = await makePublic()
  const [user, former, other] = [await server.account(), await server.account(), await server.account()]
  await makeTemplate(user, id)
  await makeTemplate(user, id)
  const template = await makeTemplate(former, id)
  await server.call('delete_instance_template', { params: { id: template.id }, token: former.token })
  for (const action of ['deprecate', 'revoke', 'reinstate']) await administer(id, action)
  const all = [
    ['image.deprecated', 'system'],
    ['image.revoked', 'system'],
    ['image.reinstated', 'system'],
  ]
  assert.deepEqual(await eventsOf(id, user), all)
  assert.deepEqual(await eventsOf(id, platform), all)
  assert.deepEqual(await eventsOf(id, former), [])
  assert.deepEqual(await eventsOf(id, other), [])
})

test('only the platform operator administers images', async () => {
  const image = await make()
  const reader = await makeAccountToken(server, platform, { platform: ['read'] })
  const local = await makeToken(server, platform, { platform: ['*'] })
  for (const [name, id] of Object.entries({
    publish_public_image: image.id,
    revoke_public_image: image.id,
    reinstate_public_image: image.id,
    deprecate_public_image: (await makePublic()).id,
  })) {
    const at = `${administration}/${id}/${name.split('_')[0]}`
    for (const [by, status] of [
      [token, 404],
      [local.token, 404],
      [reader.token, 403],
    ] as const) {
      assert.equal((await server.request('POST', at, { token: by })).status, status, name)
    }
  }
})

test('list_images is newest first and works in both directions', async () => {
  const workspace = await server.call('create_workspace', { token, body: {} })
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await make({ workspace: workspace.id })).id)
  await assertPages(place, ids, `workspace=${workspace.id}`)
})

test('a list filters by workspace, ids, paths and states', async () => {
  const one = await make()
  const two = await make()
  await change(two.id, 'revoke')
  const foreign = await make({}, (await server.account()).token)
  const absent = `id=image_absent&id=${foreign.id}&id=${foreign.resource_path}`
  const older = one.id.replace('image_', 'vmi_')
  assert.deepEqual(await idsOf(place, `id=${older}&id=${two.resource_path}&${absent}`), [two.id, one.id])
  assert.deepEqual(await idsOf(place, absent), [])
  const both = `id=${one.id}&id=${two.id}`
  assert.deepEqual(await idsOf(place, `${both}&state=revoked`), [two.id])
  assert.deepEqual(await idsOf(place, `${both}&state=revoked&state=completed`), [two.id, one.id])
  assert.deepEqual(await idsOf(place, `${both}&state=failed`), [])
  assert.deepEqual(await idsOf(place, 'workspace=wksp_absent'), [])
  assert.deepEqual(await idsOf(place, `workspace=${foreign.workspace.id}`), [])
  const wrong = await server.attempt('list_images', { query: { state: ['gone'] }, token })
  assert.deepEqual([wrong.status, refusalOf(wrong)[1]], [400, 'invalid_value'])
})

test('each operation needs its verb; without any verb the image is 404', async () => {
  const at = `${path}/${(await make()).id}`
  await assertRights(server, account, 'image', {
    list_images: { method: 'GET', path, verb: 'list' },
    get_image: { method: 'GET', path: at, verb: 'read' },
    revoke_image: { method: 'POST', path: `${at}/revoke`, verb: 'write' },
    reinstate_image: { method: 'POST', path: `${at}/reinstate`, verb: 'write' },
    deprecate_image: { method: 'POST', path: `${at}/deprecate`, body: {}, verb: 'write' },
    delete_image: { method: 'DELETE', path: at, verb: 'delete' },
  })
})

test('the limit of images is enforced and does not count deleted ones', async () => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const { id } = await make({}, token)
  await make({}, token)
  const over = await server.attempt('create_ready_image', { token, body: { name: 'over' } })
  assert.deepEqual(refusalOf(over), [422, 'limit_exceeded', null])
  await server.call('delete_image', { params: { id }, token })
  await make({}, token)
})
