import assert from 'node:assert/strict'
import { test } from 'vitest'
import { agentEndpoints, endpoints } from './contract.ts'
import { eventActions, reservedEventActions } from './events/actions.ts'
import { builtInRoles } from './iam/built-in-roles.ts'
import { limits, trustLevels } from './iam/limits.ts'
import { codesOf, type Endpoint, withStreams } from './kit/endpoint.ts'
import { codeOfKeyword, errorCodes } from './kit/errors.ts'
import { idPattern } from './kit/ids.ts'
import { accountWideResources, permissionResources, permissionVerbs, splitPermission } from './kit/permissions.ts'

const operations: readonly Endpoint[] = endpoints

const all: readonly Endpoint[] = [...endpoints, ...agentEndpoints]

function operation(name: string): Endpoint {
  const found = operations.find((candidate) => candidate.name === name)
  assert.ok(found, name)
  return found
}

test('every operation has a unique name, and a unique method and path', () => {
  const shown = withStreams(all)
  const names = shown.map(({ name }) => name)
  const places = shown.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
  assert.equal(new Set(names).size, shown.length)
  assert.equal(new Set(places).size, shown.length)
  const others = all.flatMap(({ method, other_path }) =>
    other_path ? [`${method} ${other_path.replaceAll(/:\w+/g, ':')}`] : [],
  )
  assert.equal(new Set([...places, ...others]).size, places.length + others.length)
  for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
})

/** What is wrong with the texts of an operation, one entry for each rule that it breaks. */
function wrongTexts({ summary, description }: Pick<Endpoint, 'summary' | 'description'>): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9 ]/g, '')
  const [first = ''] = description.split(/(?<=[.:])\s/)
  return [
    ...(summary.split(' ').length > 5 ? ['the title has more than five words'] : []),
    ...(/^[A-Z][^.`]*[^.`!?:]$/.test(summary) ? [] : ['the title is no imperative without a full stop']),
    ...(/^[`A-Z].*[.|]$/s.test(description.trim()) ? [] : ['the description is no sentence']),
    ...(plain(first) === plain(summary) ? ['the description repeats the title'] : []),
    ...(/\b(the answers?|of before|way in|in work)\b/i.test(`${summary} ${description}`) ? ['not our words'] : []),
  ]
}

test('every operation has a title of at most five words, and a description that says more', () => {
  const wrong = withStreams(all).flatMap((one) => wrongTexts(one).map((text) => `${one.name}: ${text}`))
  assert.deepEqual(wrong, [])
  const titles = withStreams(all).map(({ summary }) => summary)
  assert.equal(new Set(titles).size, titles.length, 'two operations have one title')
})

test('a title that is too long, and a description that says nothing more, are found', () => {
  const good = { summary: 'Create an order', description: 'Matches it before the response.' }
  assert.deepEqual(wrongTexts(good), [])
  assert.equal(wrongTexts({ ...good, summary: 'Create an order for a pool' }).length, 1)
  assert.equal(wrongTexts({ ...good, summary: 'Create an order.' }).length, 1)
  assert.equal(wrongTexts({ ...good, description: 'Create an order.' }).length, 1)
  assert.equal(wrongTexts({ ...good, description: '' }).length, 1)
})

test('a description names only operations that exist', () => {
  const names = new Set(withStreams(all).map(({ name }) => name))
  const verbs = new Set([...names].map((name) => name.split('_')[0]))
  const others = new Set([...JSON.stringify(all).matchAll(/"(\w+)"/g)].map(([, word = '']) => word))
  for (const { name, description } of withStreams(all)) {
    const named = [...description.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, word = '']) => word)
    const wrong = named.filter((word) => verbs.has(word.split('_')[0]) && !names.has(word) && !others.has(word))
    assert.deepEqual(wrong, [], name)
  }
})

test('every path begins with a known base and names its parameters', () => {
  for (const { name, path, params } of withStreams(operations)) {
    assert.match(
      path,
      /^\/(v2|preview\/v2|sandbox|healthz|readyz|version|openapi\.json|docs|metrics|\.well-known\/[a-z.-]+)(\/|$)/,
      name,
    )
    const named = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
    assert.deepEqual(named, Object.keys(params.properties), name)
  }
})

test('operations for agents have their own base, accept unknown members, and enrol without a token', () => {
  for (const { name, path, access, body } of agentEndpoints as readonly Endpoint[]) {
    assert.match(path, /^\/agent\/v1\//, name)
    assert.equal(access, ['enrol_host', 'get_fleet_agent'].includes(name) ? 'public' : 'agent', name)
    assert.notEqual((body as { additionalProperties?: boolean } | undefined)?.additionalProperties, false, name)
  }
})

test('every listed error code exists, is listed once, and is not an implied one', () => {
  for (const { name, errors, access, area } of operations) {
    assert.equal(new Set(errors).size, errors.length, name)
    for (const code of errors) assert.ok(code in errorCodes, `${name}: ${code}`)
    const implied = codesOf({ ...operation(name), errors: [] })
    assert.deepEqual(
      errors.filter((code) => implied.includes(code)),
      [],
      name,
    )
    if (access !== 'public' || ['device login', 'passkey sign-in'].includes(area)) continue
    assert.deepEqual(errors, name === 'get_metrics' ? ['host_not_allowed'] : [], name)
  }
})

/** The response to a repeated request could not show its secret, of which the server stores a hash. */
const shownOnce = [
  'create_user_sign_in_link',
  'create_account_sign_in_link',
  'create_user_passkey',
  'create_recovery_codes',
]

test('only POST takes an idempotency key, and outside of the sandbox nearly every creation takes one', () => {
  for (const { name, method, idempotent, success, path } of operations) {
    if (idempotent) assert.equal(method, 'POST', name)
    const isExempt = path.startsWith('/sandbox/') || shownOnce.includes(name)
    if (method === 'POST' && success === 201) assert.equal(idempotent, !isExempt, name)
    // What these could not carry out at once, they say.
    const says = ['delete_ssh_key', 'delete_user'].includes(name)
    if (method === 'DELETE') assert.equal(success, says ? 200 : 204, name)
  }
})

test('a success with a body has a schema, and secrets are members of it', () => {
  for (const { name, success, response, secret_fields, no_store } of operations) {
    assert.equal(response === undefined, success === 204, name)
    const properties = (response as { properties?: object } | undefined)?.properties ?? {}
    for (const field of secret_fields) assert.ok(field in properties && no_store, `${name}: ${field}`)
  }
})

test('every permission exists, and account-wide ones are checked for the whole account', () => {
  for (const { name, access, also_access, conditional_access, scope } of operations) {
    for (const right of [access, ...also_access, ...conditional_access.map(({ permission }) => permission)]) {
      if (right === 'open' || right === 'public' || right === 'agent') continue
      const { resource, verb } = splitPermission(right)
      assert.ok(permissionResources.includes(resource) && permissionVerbs.includes(verb), `${name}: ${right}`)
      if (accountWideResources.includes(resource)) assert.equal(scope, 'account', name)
    }
  }
})

test('an operation with a permission may return forbidden, except for the two lists that omit rows', () => {
  const silent = operations.filter(({ access, errors }) => access.includes(':') && !errors.includes('forbidden'))
  assert.deepEqual(
    silent.map(({ name }) => name),
    ['list_grants', 'list_events'],
  )
})

test('an operation on one resource may return not_found', () => {
  for (const { name, params, errors } of operations) {
    if (Object.keys(params.properties).length > 0) assert.ok(errors.includes('not_found'), name)
  }
})

test('a paginated list takes a limit and refuses invalid cursors', () => {
  for (const { name, query, response, errors } of operations) {
    const isPaged = JSON.stringify(response ?? {}).includes('"cursor":{"type":"string","maxLength":2048,"pattern"')
    assert.equal('starting_after' in query.properties, isPaged && name !== 'get_openapi', name)
    if (!isPaged) continue
    assert.ok('limit' in query.properties && errors.includes('invalid_cursor'), name)
    assert.equal('ending_before' in query.properties, errors.includes('mutually_exclusive'), name)
  }
})

test('the five operations of the interface list exactly its errors', () => {
  const expected: Record<string, string[]> = {
    list_events: ['gone', 'invalid_cursor', 'invalid_range'],
    list_skus: ['invalid_cursor', 'mutually_exclusive'],
    delete_firewall: ['default_firewall', 'firewall_in_use', 'forbidden', 'not_found'],
    delete_deployment: ['forbidden', 'not_found'],
    replace_instance: [
      'forbidden',
      'image_not_available',
      'instance_terminated',
      'invalid_base64',
      'name_taken',
      'not_found',
      'same_name_as_replaced',
    ],
  }
  for (const [name, errors] of Object.entries(expected))
    assert.deepEqual([...operation(name).errors].sort(), errors, name)
})

test('deleting a deployment is never rate limited', () => {
  assert.equal(operation('delete_deployment').rate, 'none')
  assert.ok(!codesOf(operation('delete_deployment')).includes('rate_limited'))
  assert.ok(codesOf(operation('delete_firewall')).includes('rate_limited'))
})

test('every keyword of every input has a code, and every annotated code exists', () => {
  const silent = new Set([
    'properties',
    'items',
    'description',
    'default',
    'examples',
    'title',
    'format',
    'contentEncoding',
    'contentMediaType',
  ])
  const walk = (schema: Record<string, unknown>, place: string): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'x-code') assert.ok((value as string) in errorCodes, `${place}: ${value}`)
      if (keyword.startsWith('x-') || silent.has(keyword)) continue
      assert.ok(keyword in codeOfKeyword, `${place}: no code for ${keyword}`)
    }
    const members = Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>)
    for (const [name, member] of members) walk(member, `${place}.${name}`)
    if (schema.items) walk(schema.items as Record<string, unknown>, `${place}[]`)
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties as never, `${place}{}`)
  }
  for (const { name, params, query, body } of operations) {
    for (const schema of [params, query, body]) if (schema) walk(schema as never, name)
  }
})

test('an operation lists the annotated codes of its input', () => {
  for (const { name, params, query, body, ...rest } of operations) {
    const codes = codesOf({ name, params, query, ...(body ? { body } : {}), ...rest } as Endpoint)
    const noted = JSON.stringify([params, query, body ?? {}]).matchAll(/"x-code":"(\w+)"/g)
    for (const [, code] of noted) assert.ok(codes.includes(code as never), `${name}: ${code}`)
  }
})

test('every input object is closed', () => {
  const walk = (schema: Record<string, unknown>, place: string): void => {
    if (schema.properties) assert.equal(schema.additionalProperties, false, place)
    for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, never>)) {
      walk(member, `${place}.${name}`)
    }
    if (schema.items) walk(schema.items as Record<string, unknown>, `${place}[]`)
  }
  for (const { name, params, query, body } of operations) {
    for (const schema of [params, query, body]) if (schema) walk(schema as never, name)
  }
})

test('actions are emitted or reserved, never both', () => {
  for (const action of Object.keys(reservedEventActions)) assert.ok(!(action in eventActions), action)
})

test('limits do not fall with a higher trust level', () => {
  for (const [name, { values }] of Object.entries(limits)) {
    const rising = trustLevels.map((level) => values[level])
    assert.deepEqual(
      [...rising].sort((a, b) => a - b),
      rising,
      name,
    )
  }
})

test('built-in roles have well-formed ids and only existing permissions', () => {
  for (const [name, { id, actions }] of Object.entries(builtInRoles)) {
    assert.match(id, new RegExp(idPattern('role')), name)
    for (const [resource, verbs] of Object.entries(actions)) {
      assert.ok(resource === '*' || permissionResources.includes(resource as never), `${name}: ${resource}`)
      for (const verb of verbs) assert.ok(verb === '*' || permissionVerbs.includes(verb), `${name}: ${verb}`)
    }
  }
})

test('every pattern of an input has a description that follows “This must be”', () => {
  const forms: string[] = []
  const walk = (schema: Record<string, unknown>, place: string): void => {
    if (schema.pattern !== undefined && !schema['x-code-always']) {
      assert.ok(schema['x-form'], place)
      forms.push(schema['x-form'] as string)
    }
    for (const [key, value] of Object.entries(schema)) {
      if (value !== null && typeof value === 'object') walk(value as Record<string, unknown>, `${place}.${key}`)
    }
  }
  for (const { name, params, query, body } of all) {
    for (const input of [params, query, body]) if (input) walk(input as unknown as Record<string, unknown>, name)
  }
  assert.ok(forms.length > 100)
  for (const form of forms) assert.doesNotMatch(form, /^[A-Z]|\.$/, form)
})
