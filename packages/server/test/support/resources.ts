/** Assertions for the common rules of lists, names, tags, idempotency keys and rights of all resources. */
import assert from 'node:assert/strict'
import { codeOf, makeToken } from './access.ts'
import type { TestAccount, TestResponse, TestServer } from './server.ts'

/** The caller, and the path of a kind of resource. */
export type ResourceKindCaller = { server: TestServer; token: string; path: string }

/** An operation on an existing resource, and the verb that it needs. */
export type ResourceCall = { method: string; path: string; body?: object; verb: string }

type ResourceList = { object: 'list'; data: { id: string }[]; has_more: boolean; cursor?: string }

/** Status, code and field of a refusal, for one comparison. */
export function refusalOf(response: TestResponse): [number, string, string | null | undefined] {
  return [response.status, codeOf(response), response.body?.error?.details?.[0]?.field]
}

/** The ids of a filtered list, in its order. */
export async function idsOf({ server, token, path }: ResourceKindCaller, filters = ''): Promise<string[]> {
  const { data } = (await server.ok('GET', `${path}?limit=200${filters && `&${filters}`}`, { token })) as ResourceList
  return data.map(({ id }) => id)
}

/** Asserts the content and order of a list in pages of two, forward and back, and the checks of page parameters. */
export async function assertPages(
  place: ResourceKindCaller,
  expected: readonly string[],
  filters: string,
): Promise<void> {
  const { server, token, path } = place
  const page = (query: string): Promise<ResourceList> => server.ok('GET', `${path}?${query}&${filters}`, { token })
  const pages = [await page('limit=2')]
  for (let last = pages[0] as ResourceList; last.has_more; pages.push(last)) {
    last = await page(`limit=2&starting_after=${last.cursor}`)
  }
  assert.deepEqual(
    pages.flatMap(({ data }) => data.map(({ id }) => id)),
    expected,
  )
  assert.equal(pages.length, Math.ceil(expected.length / 2))
  const behind = await page(`starting_after=${pages.at(-1)?.cursor}`)
  assert.deepEqual(behind, { object: 'list', data: [], has_more: false })
  for (const [at, { cursor }] of pages.entries()) {
    const before = await page(`limit=2&ending_before=${cursor}`)
    assert.deepEqual([before.data, before.has_more], [pages[at - 1]?.data ?? [], at > 1], `before page ${at}`)
  }
  await assertPageParameters(place, pages[0]?.cursor as string, filters)
}

async function assertPageParameters(
  { server, token, path }: ResourceKindCaller,
  cursor: string,
  filters: string,
): Promise<void> {
  const changed = `${cursor.slice(0, 30)}${cursor[30] === 'A' ? 'B' : 'A'}${cursor.slice(31)}`
  for (const [query, refusal] of [
    [`limit=0&${filters}`, [400, 'out_of_range', 'limit']],
    [`limit=201&${filters}`, [400, 'out_of_range', 'limit']],
    [`limit=two&${filters}`, [400, 'invalid_type', 'limit']],
    [`limit=2&limit=2&${filters}`, [400, 'repeated_parameter', 'limit']],
    [`limit=&${filters}`, [400, 'invalid_format', 'limit']],
    [`starting_after=${changed}&${filters}`, [400, 'invalid_cursor', 'starting_after']],
    [`ending_before=${changed}&${filters}`, [400, 'invalid_cursor', 'ending_before']],
    [`starting_after=nonsense&${filters}`, [400, 'invalid_cursor', 'starting_after']],
    [`starting_after=${cursor}`, [400, 'invalid_cursor', 'starting_after']],
    [`starting_after=${cursor}&ending_before=${cursor}&${filters}`, [422, 'mutually_exclusive', 'ending_before']],
  ] as const) {
    assert.deepEqual(refusalOf(await server.request('GET', `${path}?${query}`, { token })), refusal, query)
  }
  const { token: foreign } = await server.account()
  const response = await server.request('GET', `${path}?starting_after=${cursor}&${filters}`, { token: foreign })
  assert.deepEqual(refusalOf(response), [400, 'invalid_cursor', 'starting_after'])
}

/** Asserts that a field of an otherwise valid body accepts only valid names. */
export async function assertNameRule(
  { server, token, path }: ResourceKindCaller,
  method: string,
  body: object,
): Promise<void> {
  const wrong: [unknown, string][] = ['', '-a', '.a', '_a', 'a b', 'ä', 'a/b', 'a:b', 'a\n', 'a,b'].map((name) => [
    name,
    'invalid_format',
  ])
  for (const [name, code] of [...wrong, ['x'.repeat(256), 'too_long'], [7, 'invalid_type'], [['a'], 'invalid_type']]) {
    const response = await server.request(method, path, { token, body: { ...body, name } })
    assert.equal(response.status, 400, String(name))
    const details: { code: string; field: string }[] = response.body.error.details
    assert.ok(
      details.some((detail) => detail.code === code && detail.field === 'name'),
      `${name}: ${response.text}`,
    )
  }
}

/** Asserts that tags are validated and kept, and that a change replaces all of them. */
export async function assertTags({ server, token, path }: ResourceKindCaller, body: object): Promise<void> {
  const make = (tags: unknown) => server.request('POST', path, { token, body: { ...body, tags } })
  const most = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, String(index)]))
  for (const [tags, code] of [
    [{ ...most, one: 'more' }, 'too_many'],
    [{ _own: 'x' }, 'invalid_format'],
    [{ 'a=b': 'x' }, 'invalid_format'],
    [{ 'a,b': 'x' }, 'invalid_format'],
    [{ 'a b': 'x' }, 'invalid_format'],
    [{ '': 'x' }, 'invalid_format'],
    [{ ['k'.repeat(129)]: 'x' }, 'invalid_format'],
    [{ a: 'x=y' }, 'invalid_format'],
    [{ a: 'x,y' }, 'invalid_format'],
    [{ a: 'v'.repeat(257) }, 'too_long'],
    [{ a: 1 }, 'invalid_type'],
    [{ a: null }, 'invalid_type'],
    [['a'], 'invalid_type'],
  ] as const) {
    const response = await make(tags)
    assert.deepEqual([response.status, codeOf(response)], [400, code], JSON.stringify(tags))
  }
  const edges = { ['k'.repeat(128)]: 'v'.repeat(256), 'ключ/é': 'a b ü', empty: '' }
  for (const tags of [most, edges, {}]) {
    const made = await make(tags)
    assert.deepEqual([made.status, made.body.tags], [201, tags])
    await server.ok('DELETE', `${path}/${made.body.id}`, { token })
  }
  const made = (await make({ a: '1', b: '2' })).body
  const patch = (change: object) => server.ok('PATCH', `${path}/${made.id}`, { token, body: change })
  assert.deepEqual((await patch({})).tags, { a: '1', b: '2' })
  assert.deepEqual((await patch({ tags: { c: '3' } })).tags, { c: '3' })
  assert.equal((await patch({ tags: null })).tags, null)
  assert.equal((await make(null)).body.tags, null)
}

/** Asserts tag filters: all must match, the inner `=` may be encoded, values may be empty. */
export async function assertTagFilters(
  place: ResourceKindCaller,
  make: (tags: object) => Promise<{ id: string }>,
): Promise<void> {
  const { server, token, path } = place
  const both = await make({ team: 'blue', stage: 'prod' })
  const one = await make({ team: 'blue', stage: '' })
  const other = await make({ team: 'red' })
  for (const [filter, expected] of [
    ['tag=team=blue', [one, both]],
    ['tag=team%3Dblue', [one, both]],
    ['tag=team=blue&tag=stage=prod', [both]],
    ['tag=team=blue&tag=team=red', []],
    ['tag=stage=', [one]],
    ['tag_key=stage', [one, both]],
    ['tag_key=team&tag_key=stage', [one, both]],
    ['tag_key=team&tag=team=red', [other]],
    ['tag_key=blue', []],
    ['tag=Team=blue', []],
  ] as const) {
    const ids = (await idsOf(place, filter)).filter((id) => [both.id, one.id, other.id].includes(id))
    const wanted = expected.map(({ id }) => id)
    assert.deepEqual(ids, wanted, filter)
  }
  for (const [filter, code] of [
    ['tag=team', 'invalid_format'],
    ['tag==blue', 'invalid_format'],
    ['tag=_a=b', 'invalid_format'],
    ['tag_key=a=b', 'invalid_format'],
    ['tag_key=', 'invalid_format'],
    [Array(101).fill('tag_key=a').join('&'), 'too_many'],
  ]) {
    const response = await server.request('GET', `${path}?${filter}`, { token })
    assert.deepEqual([response.status, codeOf(response)], [400, code], filter)
  }
}

/**
 * Asserts a create with `Idempotency-Key`: repeated and concurrent requests create one resource, another body is
 * refused, a failed request does not use the key, and a caller without the right gets no stored response.
 */
export async function assertKeys(
  place: ResourceKindCaller,
  account: TestAccount,
  body: object,
  other: object,
): Promise<void> {
  const { server, token, path } = place
  const send = (key: string, sent: object, by = token) =>
    server.request('POST', path, { token: by, body: sent, headers: { 'Idempotency-Key': key } })
  const before = await idsOf(place)
  const key = `key-${before.length}-${path}`
  const responses = await Promise.all(Array.from({ length: 8 }, () => send(key, body)))
  const [made] = (await idsOf(place)).filter((id) => !before.includes(id))
  for (const response of responses) assert.deepEqual([response.status, response.body.id], [201, made])
  assert.equal(responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length, 7)
  assert.equal((await idsOf(place)).length, before.length + 1)
  assert.equal((await send(`"${key}"`, body)).body.id, made)
  assert.deepEqual(refusalOf(await send(key, other)), [422, 'idempotency_key_reused', 'Idempotency-Key'])
  for (const bad of ['a b', 'ü', 'k'.repeat(256)]) {
    assert.deepEqual(refusalOf(await send(bad, body)), [400, 'invalid_idempotency_key', 'Idempotency-Key'], bad)
  }
  const blind = await makeToken(server, account, { secret: ['read'] })
  assert.equal((await send(key, body, blind.token)).status, 403)
  const retried = `${key}-retried`
  assert.equal((await send(retried, { ...body, name: '-' })).status, 400)
  assert.equal((await send(retried, { ...other, workspace: 'wksp_absent' })).status, 422)
  assert.equal((await send(retried, other)).status, 201)
}

/**
 * Asserts that each call needs its verb: without any verb on the kind, and for another account, it is 404; with only
 * other verbs it is 403; with the verb it is neither. Calls that end the resource must come last.
 */
export async function assertRights(
  server: TestServer,
  account: TestAccount,
  kind: string,
  calls: Readonly<Record<string, ResourceCall>>,
): Promise<void> {
  const stranger = await server.account()
  const blind = await makeToken(server, account, { secret: ['read'] })
  for (const [name, { method, path, body, verb }] of Object.entries(calls)) {
    const ask = async (token: string) =>
      (await server.request(method, path, { token, ...(body ? { body } : {}) })).status
    const others = ['create', 'read', 'list', 'write', 'delete'].filter((other) => other !== verb)
    const half = await makeToken(server, account, { [kind]: others })
    const holder = await makeToken(server, account, { [kind]: [verb] })
    const namesNothing = verb === 'create' || verb === 'list'
    if (!namesNothing) assert.equal(await ask(stranger.token), 404, `${name} from another account`)
    assert.equal(await ask(blind.token), namesNothing ? 403 : 404, `${name} without any verb`)
    assert.equal(await ask(half.token), 403, `${name} with the other verbs`)
    const granted = await ask(holder.token)
    assert.ok(granted < 300, `${name} with its verb: ${granted}`)
  }
}

/** How an instance refers to the resource: the fields, and the other fields of a creation. */
export type Naming = { fields: (id: string) => object; pool: string; sku: string; image: string }

/**
 * Asserts that a resource that a template or a living instance refers to cannot be deleted: the refusal has one detail
 * for each, at most 20. Of a concurrent deletion and creation with a reference, one succeeds and the other is refused.
 */
export async function assertInUse(
  { server, token, path }: ResourceKindCaller,
  { fields, image, ...launch }: Naming,
  make: () => Promise<{ id: string }>,
  code: string,
): Promise<void> {
  const templates = '/preview/v2/instance_templates'
  const create = (at: string, body: object) => server.request('POST', at, { token, body })
  const remove = (at: string) => server.request('DELETE', at, { token })
  const { id } = await make()
  const users: { id: string }[] = []
  for (let count = 0; count < 21; count++) {
    users.push((await create(templates, { image, ...fields(id) })).body)
    const { status, body } = await remove(`${path}/${id}`)
    const named = users.filter((user) =>
      body.error.details.some(({ message }: ErrorMessage) => message.includes(user.id)),
    )
    assert.deepEqual([status, named.length], [409, Math.min(users.length, 20)])
    for (const detail of body.error.details) assert.deepEqual([detail.code, detail.field], [code, null])
  }
  for (const user of users) await server.call('delete_instance_template', { params: { id: user.id }, token })
  const instance = await server.call('create_instance', { token, body: { ...launch, image, ...fields(id) } })
  const refused = await remove(`${path}/${id}`)
  assert.deepEqual([refused.status, refused.body.error.details.length], [409, 1])
  assert.ok(refused.body.error.details[0].message.includes(instance.id))
  await server.call('terminate_instance', { params: { id: instance.id }, token })
  assert.equal((await remove(`${path}/${id}`)).status, 204)
  const ended = Object.entries(await server.call('get_instance', { params: { id: instance.id }, token }))
  for (const [field, value] of Object.entries(fields(id))) {
    if (value === id) assert.deepEqual(new Map(ended).get(field), null, `${field} of an ended instance`)
  }
  for (let round = 0; round < 10; round++) {
    const raced = await make()
    const [attached, deleted] = await Promise.all([
      create(templates, { image, ...fields(raced.id) }),
      remove(`${path}/${raced.id}`),
    ])
    assert.ok([201, 422].includes(attached.status), attached.text)
    assert.equal(deleted.status, attached.status === 201 ? 409 : 204)
  }
}

type ErrorMessage = { message: string }

/** Retries while the response is 503: on a busy machine, the wait for a lock can reach its timeout. */
export async function patiently(call: () => Promise<TestResponse>, onBusy = () => {}): Promise<TestResponse> {
  const response = await call()
  if (response.status !== 503) return response
  onBusy()
  return patiently(call, onBusy)
}
