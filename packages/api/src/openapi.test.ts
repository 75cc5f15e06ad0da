import assert from 'node:assert/strict'
import Value from 'typebox/value'
import { test } from 'vitest'
import { agentEndpoints, endpoints } from './contract.ts'
import { printErrors } from './errors-page.ts'
import { recordedCalls } from './generated/examples.ts'
import { codesOf, type Endpoint, withStreams } from './kit/endpoint.ts'
import { errorCodes } from './kit/errors.ts'
import type { RecordedCall } from './openapi/examples.ts'
import { fallbackOf } from './openapi/fallbacks.ts'
import { buildOpenapi } from './openapi.ts'

type TestJson = Record<string, unknown>
type TestedOperation = {
  operationId: string
  tags: string[]
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; description?: string; schema: TestJson }[]
  requestBody?: TestJson
  responses: Record<string, { $ref?: string; description: string; headers: TestJson; content?: TestJson }>
  security?: unknown[]
  'x-badges'?: { name: string }[]
}
type TestedDocument = {
  paths: Record<string, Record<string, TestedOperation>>
  tags: { name: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  components: Record<string, Record<string, TestJson>>
}

const document = JSON.parse(JSON.stringify(buildOpenapi())) as TestedDocument
const contract: readonly Endpoint[] = [...endpoints, ...agentEndpoints]
const shown = withStreams(contract)
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

function operation(name: string): TestedOperation {
  return operations.find(({ operationId }) => operationId === name) as TestedOperation
}

function schema(name: string): TestJson & { properties: Record<string, TestJson> } {
  return document.components.schemas?.[name] as TestJson & { properties: Record<string, TestJson> }
}

function everyObject(value: unknown, visit: (object: TestJson) => void): void {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) visit(value as TestJson)
  for (const member of Object.values(value)) everyObject(member, visit)
}

test('the same contract gives the same document, byte by byte', () => {
  assert.equal(JSON.stringify(buildOpenapi()), JSON.stringify(buildOpenapi()))
})

test('the document has every operation of the contract, with its name and a described tag', () => {
  const names = operations.map(({ operationId }) => operationId).sort()
  assert.deepEqual(names, shown.map(({ name }) => name).sort())
  const tags = document.tags.map(({ name }) => name)
  for (const { tags: own } of operations) assert.ok(own.every((tag) => tags.includes(tag)))
  for (const tag of tags)
    assert.ok(
      operations.some(({ tags: own }) => own.includes(tag)),
      tag,
    )
})

test('the side bar has each tag once, in groups that begin with orders and end with the agent protocol', () => {
  const groups = document['x-tagGroups']
  const names = ['Trade', 'Run', 'Follow', 'Money', 'Account', 'Operator', 'Sandbox', 'Agent']
  assert.deepEqual(
    groups.map(({ name }) => name),
    names,
  )
  const grouped = groups.flatMap(({ tags }) => tags)
  assert.deepEqual(
    grouped,
    document.tags.map(({ name }) => name),
  )
  assert.equal(new Set(grouped).size, grouped.length)
  assert.deepEqual([grouped[0], grouped.at(-1)], ['orders', 'agent protocol'])
})

const annotations = new Set(['x-tagGroups', 'x-codeSamples', 'x-badges'])

test('every reference resolves, and no internal annotation remains', () => {
  everyObject(document, (object) => {
    for (const key of Object.keys(object))
      assert.ok(annotations.has(key) || !(key.startsWith('x-') || key.startsWith('~')), key)
    if (typeof object.$ref !== 'string') return
    const [, , kind, name] = object.$ref.split('/')
    assert.ok(document.components[kind as string]?.[name as string], object.$ref)
  })
})

/** The places that have no text of their own, and no reference to a component with one. */
function undescribed({ components, paths }: Pick<TestedDocument, 'components' | 'paths'>): string[] {
  const { schemas = {} } = components
  const missing: string[] = []
  const walk = (place: string, schema: TestJson) => {
    for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, TestJson>)) {
      const refers = [member, ...((member.anyOf ?? []) as TestJson[])].some(({ $ref }) => $ref !== undefined)
      if (!refers && !member.description) missing.push(`${place}.${name}`)
      walk(`${place}.${name}`, member)
    }
    for (const part of [schema.items, schema.additionalProperties, schema.anyOf, schema.oneOf].flat()) {
      if (typeof part === 'object' && part !== null) walk(place, part as TestJson)
    }
  }
  for (const [title, schema] of Object.entries(schemas)) {
    if (!schema.description) missing.push(title)
    walk(title, schema)
  }
  for (const { operationId, parameters = [] } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { $ref, name, description } of parameters)
      if (!$ref && !description) missing.push(`${operationId}?${name}`)
  }
  return missing
}

test('every property, every parameter and every named object is described', () => {
  const missing = undescribed(document)
  const first = missing.slice(0, 10).join(', ')
  assert.deepEqual(missing, [], `${missing.length} without a text: ${first}. Give their schemas a \`description\`.`)
  assert.doesNotMatch(JSON.stringify(document), /\bundefined\b/)
})

test('a parameter is required where the contract requires it', () => {
  for (const { name, query, params } of shown) {
    const needed = [query, params].flatMap((part) => (part as { required?: string[] }).required ?? [])
    const marked = operation(name).parameters?.filter(({ required }) => required === true) ?? []
    assert.deepEqual(marked.map((one) => one.name).sort(), needed.sort(), name)
  }
  const quote = operation('get_orderbook_quote').parameters ?? []
  assert.deepEqual(
    quote.map(({ name, required }) => [name, required]),
    [
      ['requirements', false],
      ['start_at', true],
      ['end_at', true],
    ],
  )
})

test('an optional parameter says what its absence means, unless it is a filter', () => {
  const silent = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.flatMap(({ $ref, name, in: place, required, description = '', schema: own }) => {
      if ($ref || place !== 'query' || required || name === 'ending_before') return []
      const isTold = own.default !== undefined || /^Only |\bDefault\b|the default|\babsent\b/.test(description)
      return isTold ? [] : [`${operationId}?${name}: ${description}`]
    }),
  )
  assert.deepEqual(silent, [])
})

test('the routes that may change have a badge, and no others', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { 'x-badges': badges, operationId } of Object.values(methods)) {
      const own = badges?.map(({ name }) => name)
      assert.deepEqual(own, path.startsWith('/preview/') ? ['Preview'] : undefined, operationId)
    }
  }
})

test('a success says what its body has, and not what the operation does', () => {
  const told = (name: string) =>
    Object.entries(operation(name).responses).find(([status]) => status < '300')?.[1].description
  assert.equal(told('create_token'), 'Created: a new API token, with the secret itself.')
  assert.equal(told('update_role'), 'After the change: a named set of permissions.')
  assert.equal(told('get_workspace'), 'A container of resources.')
  assert.equal(told('list_roles'), 'One page of a list. Each entry: a named set of permissions.')
  assert.equal(told('delete_token'), 'Done. The response has no body.')
  assert.equal(told('stream_events'), 'A stream of server-sent events.')
  const texts = contract.map(({ name, summary }) => ({ name, summary, text: told(name) }))
  const repeated = texts.filter(({ summary, text }) => text === undefined || text.startsWith(summary))
  assert.deepEqual(
    repeated.map(({ name }) => name),
    [],
  )
})

test('every text spells the value null as code', () => {
  const texts = JSON.stringify(document).match(/"(description|summary)":"[^"]*"/g) ?? []
  assert.deepEqual(
    texts.filter((text) => /\bNull\b/.test(text)),
    [],
  )
})

test('a text that is missing is found, wherever it is', () => {
  const plain = { type: 'string' }
  const named = {
    description: 'A node.',
    properties: { a: plain, b: { $ref: '#' }, c: { ...plain, description: 'C.' } },
  }
  const list = { description: 'Some.', items: { properties: { d: plain } } }
  const broken = {
    components: { schemas: { Node: named, Bare: { properties: { list } } } },
    paths: { '/x': { get: { operationId: 'get_x', parameters: [{ name: 'q', in: 'query' }] } as never } },
  }
  assert.deepEqual(undescribed(broken), ['Node.a', 'Bare', 'Bare.list.d', 'get_x?q'])
})

test('each status of an operation is documented, with its codes where the envelope contains them', () => {
  for (const endpoint of shown) {
    const { responses } = operation(endpoint.name)
    const statuses = new Set(codesOf(endpoint).map((code) => errorCodes[code].status))
    const successes = endpoint.may_be_empty ? [endpoint.success, 204] : [endpoint.success]
    const expected = [...successes, ...statuses].map(String).sort()
    assert.deepEqual(Object.keys(responses).sort(), expected, endpoint.name)
    for (const code of endpoint.errors) {
      const answer = responses[errorCodes[code].status]
      assert.ok(answer?.$ref || answer?.description.includes(`\`${code}\``), `${endpoint.name}: ${code}`)
    }
  }
})

test('what the interface document calls an enumeration is one, and what it calls read-only is', () => {
  assert.deepEqual(schema('Instance').properties.state?.enum, [
    'awaiting_allocation',
    'running',
    'failed',
    'terminated',
  ])
  assert.deepEqual(schema('RdmaTypeProperty').properties.value?.enum, ['infiniband', 'roce'])
  assert.equal(schema('Event').properties.action?.enum, undefined)
  assert.equal(schema('Instance').properties.object?.readOnly, true)
})

test('the stream of a list has a path of its own, so that each of the two has one form of answer', () => {
  const formsOf = (name: string) => Object.keys(operation(name).responses[200]?.content ?? {})
  const streamed = contract.flatMap(({ name, also_stream }) =>
    also_stream ? [{ name, stream: also_stream.name }] : [],
  )
  assert.deepEqual(
    streamed.map(({ stream }) => stream),
    ['stream_events', 'stream_instance_logs'],
  )
  for (const { name, stream } of streamed) {
    assert.deepEqual(formsOf(name), ['application/json'])
    assert.deepEqual(formsOf(stream), ['text/event-stream'])
  }
  assert.ok(document.paths['/preview/v2/events/stream']?.get)
  const namesIn = (name: string) => operation(name).parameters?.map(({ $ref, name: own }) => own ?? $ref) ?? []
  const lastId = '#/components/parameters/LastEventId'
  assert.ok(!namesIn('list_events').some((one) => one === 'on_gap' || one === lastId))
  assert.ok(['target', 'on_gap', lastId].every((one) => namesIn('stream_events').includes(one)))
})

test('the example of a stream is an entry of its list', () => {
  for (const [name, list, id] of [
    ['stream_events', 'list_events', 'cursor'],
    ['stream_instance_logs', 'list_instance_logs', 'seqnum'],
  ] as const) {
    const { data } = (recordedCalls[list] as RecordedCall).response as { data: TestJson[] }
    const media = operation(name).responses[200]?.content?.['text/event-stream'] as TestJson
    assert.equal(media.example, `retry: 2000\n\nid: ${data[0]?.[id]}\ndata: ${JSON.stringify(data[0])}\n\n`)
  }
})

test('only process endpoints, enrolment and sign-in need no token', () => {
  const open = operations.filter(({ security }) => security?.length === 0)
  assert.ok(
    open.every(
      ({ tags, operationId }) =>
        ['process', 'device login', 'passkey sign-in'].includes(tags[0] ?? '') ||
        ['enrol_host', 'get_fleet_agent'].includes(operationId),
    ),
  )
})

test('an operation without a body has none of its errors', () => {
  for (const { name, body } of shown) {
    const { responses } = operation(name)
    assert.deepEqual(
      [413, 415].map((status) => status in responses),
      body ? [true, true] : [false, false],
      name,
    )
    const { $ref = '', description = '' } = responses[400] ?? {}
    const ofBody = $ref.endsWith('/InvalidRequest') || description.includes('`invalid_json`')
    assert.equal(ofBody, body !== undefined, name)
  }
})

test('a creating operation takes Idempotency-Key', () => {
  const refs = operation('replace_instance').parameters?.map(({ $ref }) => $ref)
  assert.ok(refs?.includes('#/components/parameters/IdempotencyKey'))
})

test('requests are closed except for those of agents, and responses are open', () => {
  const ofAgents = operations.filter(({ tags }) => tags.includes('agent protocol'))
  const open = new Set(ofAgents.map(({ requestBody }) => JSON.stringify(requestBody)?.match(/schemas\/(\w+)/)?.[1]))
  const { schemas = {} } = document.components
  for (const [name, own] of Object.entries(schemas)) {
    if (name.endsWith('Request') && !open.has(name)) assert.equal(own.additionalProperties, false, name)
    else assert.notEqual(own.additionalProperties, false, name)
  }
})

test('an optional member of a POST body may be null, except cloud-init data; a PATCH body declares null', () => {
  const { properties } = schema('ReplaceInstanceRequest')
  assert.deepEqual(properties.name?.type, ['string', 'null'])
  assert.equal(properties.image?.type, 'string')
  assert.equal(properties.cloud_init_user_data?.type, 'string')
  const update = schema('UpdateInstanceRequest').properties
  assert.equal(update.name?.type, 'string')
  assert.deepEqual(update.tags?.type, ['object', 'null'])
  assert.deepEqual(update.priority_level?.enum, ['yield', 'normal', 'preferred', 'critical', null])
})

test('an actor is a token with an id or the system', () => {
  assert.deepEqual(schema('Actor').discriminator, {
    propertyName: 'type',
    mapping: { token: '#/components/schemas/TokenActor', system: '#/components/schemas/SystemActor' },
  })
})

test('the page of errors explains each code once', () => {
  const page = printErrors()
  for (const code of Object.keys(errorCodes)) assert.equal(page.split(`### ${code}\n`).length, 2, code)
  assert.match(page, /### firewall_in_use\n\n- Caller: .+\n- Returned by: `delete_firewall`\.\n/)
  assert.match(page, /### address_taken\n[^#]*Returned by: `enrol_host`/)
  assert.match(page, /### invalid_json\n[^#]*Returned by: every operation with a body\.\n/)
  assert.doesNotMatch(page, /no operation|Operator: Nothing/)
  assert.match(page, /### unknown_field\n[^#]*Returned by: every operation\./)
  assert.ok(page.endsWith('\n') && !page.endsWith('\n\n'))
})

test('every operation has an example of its body and of its success, and what was recorded fits the contract', () => {
  const seldom = [
    'get_openapi',
    'get_docs',
    'get_metrics',
    'export_usage',
    'export_ledger',
    'finish_device_login',
    // A browser asks an authenticator, and a person comes from a provider.
    'start_passkey_registration',
    'start_passkey_sign_in',
    'finish_passkey_sign_in',
    'use_recovery_code',
    'create_user_passkey',
    'update_user_passkey',
    'delete_user_passkey',
    'create_recovery_codes',
    'delete_user_identity',
    'create_account_sign_in_link',
  ]
  for (const endpoint of contract) {
    const { name, body, response, area } = endpoint
    const { requestBody, responses } = operation(name) as unknown as Record<string, TestJson>
    const answer = responses?.[endpoint.success] as TestJson
    for (const content of [requestBody?.content, answer?.content]) {
      for (const media of Object.values((content ?? {}) as Record<string, TestJson>))
        assert.ok('example' in media, name)
    }
    const recorded = recordedCalls[name]
    if (seldom.includes(name) || area === 'agent protocol') continue
    assert.ok(recorded, `${name} is not among the calls of scripts/gen/examples`)
    if (response) assert.ok(Value.Check(response as never, recorded.response), `${name}: ${JSON.stringify(recorded)}`)
    if (body) assert.ok(Value.Check(body as never, recorded.body ?? {}), `${name}: ${JSON.stringify(recorded.body)}`)
  }
})

test('every field and every parameter has an example that fits its schema', () => {
  let fields = 0
  everyObject(document.components.schemas, ({ type, properties = {} }) => {
    if (![type].flat().includes('object')) return
    for (const [name, member] of Object.entries(properties as Record<string, TestJson>)) {
      const types = [member.type].flat()
      if (member.$ref || 'const' in member || member.properties || member.items || member.anyOf || member.oneOf)
        continue
      if (types.includes('object')) continue
      const [example] = (member.examples ?? []) as unknown[]
      fields += 1
      assert.notEqual(example, undefined, `${name}: ${JSON.stringify(member)}`)
      assert.ok(Value.Check(member as never, example), `${name}: ${JSON.stringify(member)}`)
    }
  })
  assert.ok(fields > 1000, `${fields} fields`)
  for (const { operationId, parameters = [] } of operations) {
    for (const one of parameters) assert.ok(one.$ref || 'example' in one, `${operationId}: ${one.name}`)
  }
})

test('the example of a resource path has the kind that its description says', () => {
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    const field = (schema.properties as Record<string, { description?: string; examples?: string[] }>)?.resource_path
    const [, kind] = /`svc:(\w+):…`/.exec(field?.description ?? '') ?? []
    if (kind === undefined) continue
    for (const example of field?.examples ?? []) assert.match(example, new RegExp(`^svc:${kind}:`), name)
  }
  const manager = document.components.schemas?.OrderManager?.properties as { resource_path: { examples: string[] } }
  for (const example of manager.resource_path.examples) assert.match(example, /^svc:(procurement|deployment):/)
})

test('a field that nothing tells an example of is an error that says where to give one', () => {
  assert.throws(() => fallbackOf('flavour', { type: 'string', pattern: '^x$' }), /flavour has no example/)
  assert.equal(fallbackOf('flavour', { type: 'integer', default: 7 }), 7)
  assert.equal(
    fallbackOf('pool', { type: 'string', pattern: '^(?:pool_\\w+|svc:pool:.+)$' }),
    'svc:pool:acme:default:training',
  )
})
