import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { makeAccountToken, makeToken } from '../support/access.ts'
import { makeLaunchPad } from '../support/fixtures/fleet.ts'
import { makePerson } from '../support/fixtures/people.ts'
import { makeSshKey, sshKeyLine } from '../support/fixtures/ssh-keys.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const ada = await makePerson(server, account, 'role_admin')
const pad = await makeLaunchPad(server, account, { slots: 8, hosts: 2 })
const least = { pool: pad.pool, sku: pad.sku, image: pad.image }

const create = (by: string, body: object = {}) =>
  server.call('create_instance', { token: by, body: { ...least, ...body } })
const read = (id: string) => server.call('get_instance', { params: { id }, token })
const keysOf = async (id: string) =>
  ((await read(id)).ssh_keys ?? []).map((key: { id: string; state: string }) => [key.id, key.state])

test('a key is what its line says, and belongs to whoever adds it', async () => {
  const key = await makeSshKey(server, ada, 'first')
  const [type, base64] = sshKeyLine('first').split(' ')
  const { id, created_at, owner, ...rest } = key
  assert.match(id, /^sshk_/)
  assert.ok(created_at > 0)
  assert.deepEqual(rest, {
    object: 'ssh_key',
    name: 'first',
    key_type: type,
    bits: 256,
    fingerprint: `SHA256:${await fingerprintOf(base64 as string)}`,
    public_key: `${type} ${base64}`,
  })
  assert.deepEqual([owner.type, owner.id], ['user', ada.user])
  const own = await makeSshKey(server, { token }, 'of a program')
  const { token: self } = await server.call('get_account', { token })
  assert.deepEqual([own.owner.type, own.owner.id, own.owner.name], ['token', self.id, self.name])
  const body = { public_key: sshKeyLine('named'), name: 'laptop' }
  assert.equal((await server.call('create_ssh_key', { token, body })).name, 'laptop')
})

test('a key exists once in an account, whatever its comment, and may be in another one', async () => {
  const { fingerprint } = await makeSshKey(server, ada, 'once')
  const body = { public_key: sshKeyLine('once', 'another comment') }
  const again = await server.attempt('create_ssh_key', { token, body })
  assert.deepEqual(refusalOf(again), [409, 'ssh_key_taken', 'public_key'])
  assert.ok(again.text.includes(fingerprint))
  await makeSshKey(server, await server.account(), 'once')
})

test('what is no public key is refused with a sentence, and no part of it is kept', async () => {
  const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  const [, body = ''] = secret.split('\n')
  for (const public_key of [secret, `ssh-ed25519 ${body}`, `ssh-dss ${body}`, `${sshKeyLine('x')}\u001b]0;${body}`]) {
    const refused = await server.attempt('create_ssh_key', { token, body: { public_key } })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.details[0].field, 'public_key')
    assert.ok(!refused.text.includes(body.slice(0, 12)), refused.text)
  }
  const long = await server.attempt('create_ssh_key', {
    token,
    body: { public_key: sshKeyLine('x', 'x'.repeat(20_000)) },
  })
  assert.deepEqual(refusalOf(long), [400, 'too_long', 'public_key'])
  const entries = await server.call('list_audit_entries', { token, query: 'operation=create_ssh_key&limit=200' })
  assert.ok(!JSON.stringify(entries).includes(body.slice(0, 12)))
  assert.ok(!JSON.stringify(entries).includes('AAAA'))
})

test('keys of others are seen with the right to read users, and deleted with that to change them', async () => {
  const key = await makeSshKey(server, ada, 'of ada')
  const viewer = await makeToken(server, account, { pool: ['read'] })
  const reader = await makeAccountToken(server, account, { user: ['read', 'list'] })
  const own = await makeSshKey(server, viewer, 'of a viewer')
  const list = (by: string, query: string) => server.call('list_ssh_keys', { token: by, query })
  assert.deepEqual((await list(viewer.token, '')).data, [own])
  assert.deepEqual((await list(viewer.token, `owner=${ada.user}`)).data, [])
  assert.deepEqual((await list(reader.token, `fingerprint=${encodeURIComponent(key.fingerprint)}`)).data, [key])
  const params = { id: key.id }
  assert.equal((await server.attempt('get_ssh_key', { params, token: viewer.token })).status, 404)
  assert.deepEqual(await server.call('get_ssh_key', { params, token: reader.token }), key)
  assert.deepEqual(await server.call('get_ssh_key', { params: { id: own.id }, token: viewer.token }), own)
  assert.equal((await server.attempt('delete_ssh_key', { params, token: viewer.token })).status, 404)
  assert.equal((await server.attempt('delete_ssh_key', { params, token: reader.token })).status, 403)
  const changer = await makeAccountToken(server, account, { user: ['read', 'write'] })
  // Ada is an admin.
  assert.equal((await server.attempt('delete_ssh_key', { params, token: changer.token })).status, 403)
  const deleted = await server.call('delete_ssh_key', { params, token })
  assert.deepEqual(deleted, { object: 'deleted_ssh_key', id: key.id, fingerprint: key.fingerprint, instances: [] })
  assert.equal((await server.attempt('delete_ssh_key', { params, token })).status, 404)
  await server.call('delete_ssh_key', { params: { id: own.id }, token: viewer.token })
  const stranger = await server.account()
  assert.equal((await server.attempt('get_ssh_key', { params, token: stranger.token })).status, 404)
})

test('an instance gets the keys of whoever creates it, or those that the request names', async () => {
  const grace = await makePerson(server, account, 'role_admin')
  const [one, two] = [await makeSshKey(server, grace, 'grace one'), await makeSshKey(server, grace, 'grace two')]
  const { id } = await create(grace.token)
  assert.deepEqual(await keysOf(id), [
    [one.id, 'waiting'],
    [two.id, 'waiting'],
  ])
  assert.deepEqual(await keysOf((await create(grace.token, { ssh_keys: [] })).id), [])
  const named = await create(token, { ssh_keys: [two.id] })
  assert.deepEqual(await keysOf(named.id), [[two.id, 'waiting']])
  await server.settle()
  await server.advance(120)
  await server.settle()
  assert.deepEqual(await keysOf(named.id), [[two.id, 'present']])
  const refuse = async (ssh_keys: string[], by = token) =>
    refusalOf(await server.attempt('create_instance', { token: by, body: { ...least, ssh_keys } }))
  assert.deepEqual(await refuse([two.id, two.id]), [400, 'duplicate_entry', 'ssh_keys.1'])
  assert.deepEqual(await refuse([one.id, 'sshk_absent']), [422, 'reference_not_found', 'ssh_keys.1'])
  const program = await makeToken(server, account, { instance: ['*'], pool: ['read'], image: ['read'] })
  assert.deepEqual(await refuse([two.id], program.token), [422, 'reference_not_found', 'ssh_keys.0'])
  const own = await makeSshKey(server, program, 'of the program')
  assert.deepEqual(await keysOf((await create(program.token)).id), [[own.id, 'waiting']])
  const successor = await server.call('replace_instance', {
    params: { id: named.id },
    token,
    body: { image: pad.image },
  })
  assert.deepEqual(await keysOf(successor.id), [[two.id, 'waiting']])
})

test('a template keeps the keys of whoever makes it for its instances', async () => {
  const key = await makeSshKey(server, ada, 'for templates')
  const body = { image: pad.image }
  const template = await server.call('create_instance_template', { token: ada.token, body })
  assert.ok(template.ssh_keys.includes(key.id))
  const none = await server.call('create_instance_template', { token, body: { ...body, ssh_keys: [key.id] } })
  assert.deepEqual(none.ssh_keys, [key.id])
  const deployment = { pool: pad.pool, sku: pad.cold, instance_template: none.id, target_instance_count: 1 }
  const { id } = await server.call('create_deployment', { token, body: deployment as never })
  await server.settle()
  const { data } = await server.call('list_instances', { token, query: `deployment=${id}` })
  assert.deepEqual(
    data.flatMap(({ ssh_keys = [] }) => ssh_keys.map((shown) => shown.id)),
    [key.id],
  )
})

test('a deleted key is gone from new instances at once, and soon from running ones', async () => {
  const key = await makeSshKey(server, ada, 'to go')
  const kept = await makeSshKey(server, ada, 'to stay')
  const ssh_keys = [key.id, kept.id]
  const running = await create(ada.token, { ssh_keys })
  await server.advance(120)
  await server.settle()
  assert.deepEqual(await keysOf(running.id), [
    [key.id, 'present'],
    [kept.id, 'present'],
  ])
  const waiting = await create(ada.token, { ssh_keys, sku: pad.cold })
  const deleted = await server.call('delete_ssh_key', { params: { id: key.id }, token: ada.token })
  assert.deepEqual(deleted.instances, [
    { object: 'instance', id: running.id, name: running.name, removal: 'requested' },
  ])
  await eventually('the key is gone', async () => (await keysOf(running.id)).length === 1)
  assert.deepEqual(await keysOf(running.id), [[kept.id, 'present']])
  assert.deepEqual(await keysOf(waiting.id), [[kept.id, 'waiting']])
  const { data } = await server.call('list_events', { token, query: `target=${key.id}` })
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['ssh_key.created', 'ssh_key.deleted'],
  )
})

test('the keys of a deleted user and of a deleted token go with them', async () => {
  const person = await makePerson(server, account, 'role_admin')
  const program = await makeToken(server, account, { instance: ['*'], pool: ['read'], image: ['read'] })
  const keys = [await makeSshKey(server, person, 'of a leaver'), await makeSshKey(server, program, 'of an old program')]
  const { id } = await create(token, { ssh_keys: keys.map((key) => key.id) })
  await server.advance(120)
  await server.settle()
  assert.equal((await keysOf(id)).length, 2)
  const { instances } = await server.call('delete_user', { params: { id: person.user }, token })
  assert.deepEqual(
    instances.map((one) => [one.id, one.removal]),
    [[id, 'requested']],
  )
  await server.call('delete_token', { params: { id: program.id }, token })
  await eventually('no key is left', async () => (await keysOf(id)).length === 0)
  for (const key of keys) {
    assert.equal((await server.attempt('get_ssh_key', { params: { id: key.id }, token })).status, 404)
  }
})

async function fingerprintOf(base64: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(base64, 'base64'))
  return Buffer.from(digest).toString('base64').replace(/=+$/, '')
}
