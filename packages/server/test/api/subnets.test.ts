/** What only subnets have: their ranges and regions. network-resources.test.ts has the rest. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeOf } from '../support/access.ts'
import { idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/subnets'
const place = { server, token, path }
const region = 'north-1'

function make(body: object = {}, by = token) {
  return server.call('create_subnet', { token: by, body: { region, ...body } })
}

function ask(body: object, by = token) {
  return server.attempt('create_subnet', { token: by, body: { region, ...body } })
}

async function makeWorkspace(): Promise<string> {
  return (await server.call('create_workspace', { token, body: {} })).id
}

test('create_subnet uses by default the first free /20 of 10.64.0.0/10', async () => {
  const workspace = await makeWorkspace()
  const cidrs: string[] = []
  for (let count = 0; count < 2; count++) cidrs.push((await make({ workspace })).cidr)
  assert.deepEqual(cidrs, ['10.64.0.0/20', '10.64.16.0/20'])
  await make({ workspace, cidr: '10.64.40.0/24' })
  const third = await make({ workspace, cidr: null })
  assert.equal(third.cidr, '10.64.48.0/20')
  assert.equal(third.available_addresses, 4096 - 5)
  const oldest = (await idsOf(place, `workspace=${workspace}`)).at(-1) as string
  await server.call('delete_subnet', { params: { id: oldest }, token })
  assert.equal((await make({ workspace })).cidr, '10.64.0.0/20')
  assert.equal((await make({ workspace: await makeWorkspace() })).cidr, '10.64.0.0/20')
})

test('a range is a private IPv4 network with a prefix length from 16 to 28', async () => {
  for (const cidr of [
    '8.8.8.0/24',
    '172.32.0.0/16',
    '172.15.0.0/16',
    '192.169.0.0/16',
    '11.0.0.0/16',
    '10.0.0.0/15',
    '10.0.0.0/29',
    '10.0.0.1/24',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0/24',
    '10.0.0.0/024',
    '010.0.0.0/24',
    '10.0.0.0.0/24',
    '10.256.0.0/24',
    '/24',
    'fd00::/64',
    '',
  ]) {
    assert.deepEqual(refusalOf(await ask({ cidr })), [400, 'invalid_cidr', 'cidr'], cidr)
  }
  assert.deepEqual(refusalOf(await ask({ cidr: 10 })), [400, 'invalid_type', 'cidr'])
  const workspace = await makeWorkspace()
  for (const [cidr, free] of [
    ['10.0.0.0/16', 65_531],
    ['172.31.255.240/28', 11],
    ['172.16.0.0/16', 65_531],
    ['192.168.255.0/24', 251],
  ] as const) {
    assert.equal((await make({ cidr, workspace })).available_addresses, free, cidr)
  }
})

test('ranges of one workspace must not overlap, those of two workspaces may', async () => {
  const workspace = await makeWorkspace()
  await make({ workspace, cidr: '10.1.16.0/20' })
  for (const cidr of ['10.1.16.0/20', '10.1.0.0/16', '10.1.31.240/28', '10.1.16.0/24']) {
    assert.deepEqual(refusalOf(await ask({ workspace, cidr })), [409, 'subnet_overlap', 'cidr'], cidr)
    await make({ workspace: await makeWorkspace(), cidr })
  }
  await make({ workspace, cidr: '10.1.0.0/20' })
  await make({ workspace, cidr: '10.1.32.0/20' })
})

test('of 16 concurrent creations with overlapping ranges one succeeds; default ranges differ', async () => {
  const workspace = await makeWorkspace()
  const cidrs = Array.from({ length: 16 }, (_, index) => `10.9.0.0/${16 + (index % 8)}`)
  const requested = await Promise.all(cidrs.map((cidr) => ask({ workspace, cidr })))
  assert.equal(requested.filter(({ status }) => status === 201).length, 1)
  assert.equal(requested.filter((response) => codeOf(response) === 'subnet_overlap').length, 15)
  const drawn = await Promise.all(Array.from({ length: 16 }, () => make({ workspace })))
  assert.equal(new Set(drawn.map(({ cidr }) => cidr)).size, 16)
})

test('the region is required and validated', async () => {
  assert.deepEqual(refusalOf(await server.attempt('create_subnet', { token, body: {} })), [400, 'required', 'region'])
  assert.deepEqual(refusalOf(await server.attempt('create_subnet', { token })), [400, 'required', 'region'])
  for (const [wrong, code] of [
    [null, 'invalid_type'],
    ['', 'invalid_format'],
    ['a b', 'invalid_format'],
    [7, 'invalid_type'],
  ] as const) {
    assert.deepEqual(refusalOf(await ask({ region: wrong })), [400, code, 'region'])
  }
})

test('a refused creation takes neither a range nor part of the limit, a deletion frees the range', async () => {
  await make({ name: 'taken' })
  const before = await server.call('get_limit', { params: { name: 'subnets' }, token })
  assert.deepEqual(refusalOf(await ask({ name: 'taken', cidr: '10.7.0.0/16' })), [409, 'name_taken', 'name'])
  assert.deepEqual(await server.call('get_limit', { params: { name: 'subnets' }, token }), before)
  const made = await make({ cidr: '10.7.0.0/16' })
  assert.deepEqual(refusalOf(await ask({ cidr: '10.7.0.0/16' })), [409, 'subnet_overlap', 'cidr'])
  await server.call('delete_subnet', { params: { id: made.id }, token })
  await make({ cidr: '10.7.0.0/16' })
})

test('a list filters by region', async () => {
  const workspace = await makeWorkspace()
  const one = await make({ workspace, region: 'west-7' })
  await make({ workspace, region: 'West-7' })
  await make({ region: 'west-7' }, (await server.account()).token)
  assert.deepEqual(await idsOf(place, 'region=west-7'), [one.id])
  assert.deepEqual(await idsOf(place, `workspace=${workspace}&region=none`), [])
})
