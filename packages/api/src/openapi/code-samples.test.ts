import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import Value from 'typebox/value'
import { test } from 'vitest'
import { agentEndpoints, endpoints } from '../contract.ts'
import { clientCalls } from '../generated/client-calls.ts'
import { type Endpoint, endpoint, withStreams } from '../kit/endpoint.ts'
import { id, object, text } from '../kit/schema.ts'
import { buildOpenapi } from '../openapi.ts'
import { addCodeSamples, type ClientCall, type CodeSample } from './code-samples.ts'

type Sampled = { operationId: string; 'x-codeSamples': CodeSample[] }

const contract = withStreams([...endpoints, ...agentEndpoints] as readonly Endpoint[])
const { paths } = buildOpenapi() as { paths: Record<string, Record<string, Sampled>> }
const samples = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, 'x-codeSamples': own }) => [operationId, own]),
)

function sampleOf(operation: string, label: string): string | undefined {
  return samples.get(operation)?.find((one) => one.label === label)?.source
}

test('every operation has a sample of curl, and those of the SDK and the command line that there are', () => {
  for (const { name } of contract) {
    const { method, command }: ClientCall = clientCalls[name] ?? {}
    const labels = [...(method ? ['SDK'] : []), ...(command ? ['Command line'] : []), 'curl']
    assert.deepEqual(
      samples.get(name)?.map(({ label }) => label),
      labels,
      name,
    )
  }
  assert.deepEqual(samples.get('report_host')?.length, 1)
})

/** The words that a shell passes to curl, for each of some commands. */
function wordsOf(commands: readonly string[]): string[][] {
  const print = `curl() { printf '%s\\0' "$@"; printf '\\1\\0'; }`
  const env = { BOURSE_BASE_URL: 'http://server', BOURSE_API_TOKEN: 'of-caller', AGENT_TOKEN: 'of-host' }
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-eu'], { input: [print, ...commands].join('\n'), env })
  assert.deepEqual([status, stderr.toString()], [0, ''])
  return stdout
    .toString()
    .split('\x01\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1))
}

/** What follows an option of curl, at each place. */
function given(words: readonly string[], option: string): string[] {
  return words.flatMap((word, index) => (word === option ? [words[index + 1] ?? ''] : []))
}

/** A value of a query as the server reads it. */
function readAs({ type }: { type?: string }, text: string): unknown {
  return type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text
}

test('what a shell reads of a sample of curl is a call by the contract', () => {
  const commands = contract.map(({ name }) => sampleOf(name, 'curl') ?? '')
  const read = wordsOf(commands)
  assert.equal(read.length, contract.length)
  for (const [index, words] of read.entries()) {
    const { name, method, path, params, query, body, access } = contract[index] as Endpoint
    assert.equal(given(words, '-X')[0] ?? 'GET', method, name)
    const url = new URL(words.find((word) => word.startsWith('http://server/')) ?? assert.fail(name))
    const { pathname, searchParams } = url
    const shape = new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const places = shape.exec(pathname)?.groups ?? {}
    const values = Object.fromEntries(Object.entries(places).map(([key, value]) => [key, decodeURIComponent(value)]))
    assert.match(pathname, shape, name)
    assert.ok(Value.Check(params, values), `${name}: ${pathname}`)
    const asked = [...new Set(searchParams.keys())].map((key) => {
      const schema = query.properties[key] as { type?: string }
      return [key, schema.type === 'array' ? searchParams.getAll(key) : readAs(schema, searchParams.get(key) ?? '')]
    })
    assert.ok(Value.Check(query, Object.fromEntries(asked)), `${name}: ${url.search}`)
    const [sent] = given(words, '--data-raw')
    assert.equal(sent === undefined, body === undefined, name)
    if (body) assert.ok(Value.Check(body, JSON.parse(sent as string)), `${name}: ${sent}`)
    const token = { public: undefined, agent: 'Bearer of-host' }[access as string] ?? 'Bearer of-caller'
    const headers = given(words, '-H').filter((header) => header.startsWith('Authorization'))
    assert.deepEqual(headers, access === 'public' ? [] : [`Authorization: ${token}`], name)
  }
})

const renaming = endpoint({
  name: 'rename_thing',
  method: 'PATCH',
  path: '/v2/things/:id/:part',
  area: 'orders',
  summary: 'Rename a thing',
  description: '',
  params: { id: id('order', { description: 'The thing.' }), part: text({ max: 9, description: 'A part.' }) },
  body: object({ name: text({ max: 90, description: 'Its name.' }) }),
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

test('a sample quotes what its language reads, and completes the ids of commands', () => {
  const name = `a 'b' "c" $d \\ \u007f`
  const own = 'ordr_Qw3mVtYd1ZcN0pLhXe8kR'
  const shown: { operationId: string; parameters: object[]; requestBody: object; 'x-codeSamples'?: CodeSample[] } = {
    operationId: 'rename_thing',
    parameters: [
      { name: 'id', in: 'path', example: own },
      { name: 'part', in: 'path', example: "a'$b" },
    ],
    requestBody: { content: { 'application/json': { example: { name } } } },
  }
  const pool = 'pool_Qw3mVtYd1ZcN0pLhXe8kR'
  const recorded = { list_pools: { response: { data: [{ id: pool }] } } }
  const calls = {
    rename_thing: { method: 'things.rename', command: 'bourse things rename ordr_… --pool pool_… nope_…' },
  }
  const document = { paths: { '/v2/things/{id}/{part}': { patch: shown } } }
  addCodeSamples(document, [renaming as unknown as Endpoint], { recorded, calls })
  const [sdk, command, curl] = shown['x-codeSamples'] ?? []
  const [, argument = ''] = /things\.rename\((.*)\)/s.exec(sdk?.source ?? '') ?? []
  const values = new Function(`return [${argument}]`)()
  assert.deepEqual(values, [{ id: own, part: "a'$b" }, { name }])
  assert.equal(command?.source, `bourse things rename ${own} --pool ${pool} nope_…`)
  const [words = []] = wordsOf([curl?.source ?? ''])
  assert.equal(
    words.find((word) => word.startsWith('http')),
    `http://server/v2/things/${own}/a%27%24b`,
  )
  assert.deepEqual(JSON.parse(given(words, '--data-raw')[0] ?? ''), { name })
})
