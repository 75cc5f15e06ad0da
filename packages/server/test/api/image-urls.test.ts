import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken, platformAccount } from '../support/access.ts'
import { askForPart, beginImage, bytesOf, put, uploadImage } from '../support/fixtures/images.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const platform = await platformAccount(server)
const account = await server.account()
const { token } = account
const me = { server, token }
const part = bytesOf(1000, 'a')
const forbidden = [403, 'forbidden', undefined]

async function urlOf(id: string, by = token): Promise<string> {
  return (await server.call('get_image_download', { params: { id }, token: by })).url
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

test('a download URL ends with the revocation of its image', async () => {
  const { id } = await uploadImage(me, [part])
  const url = await urlOf(id)
  assert.equal(await statusOf(url), 200)
  await server.call('revoke_image', { params: { id }, token })
  assert.equal(await statusOf(url), 403)
  const late = await urlOf(id)
  assert.equal(await statusOf(late), 200)
  await server.call('reinstate_image', { params: { id }, token })
  assert.equal(await statusOf(late), 403)
})

test('a download URL ends with the token that asked for it', async () => {
  const { id } = await uploadImage(me, [part])
  const reader = await makeToken(server, account, { image: ['read'] })
  const url = await urlOf(id, reader.token)
  assert.equal(await statusOf(url), 200)
  await server.call('delete_token', { params: { id: reader.id }, token })
  assert.equal(await statusOf(url), 403)
})

test('a download URL ends with the end of the token in time', async () => {
  const { id } = await uploadImage(me, [part])
  const { now } = (await server.call('get_account', { token })).server
  const body = { roles: ['role_viewer'], expires_at: now + 600 }
  const brief = await server.call('create_token', { token, body })
  const url = await urlOf(id, brief.token)
  assert.equal(await statusOf(url), 200)
  await server.advance(600)
  assert.equal(await statusOf(url), 403)
})

test('a URL ends with the right of the token that asked for it', async () => {
  const { id } = await uploadImage(me, [part])
  const begun = await beginImage(me)
  const writer = await makeToken(server, account, { image: ['read', 'write'] })
  const url = await urlOf(id, writer.token)
  const upload = (await askForPart({ server, token: writer.token }, begun.id, 1)).url
  assert.equal(await statusOf(url), 200)
  assert.equal((await put(upload, part)).status, 200)
  const { data } = await server.call('list_grants', { query: { principal_id: [writer.id] }, token })
  await server.call('delete_grant', { params: { id: data[0].id }, token })
  assert.equal(await statusOf(url), 403)
  assert.deepEqual(refusalOf(await put(upload, part)), forbidden)
})

test('a URL of a public image needs only a token that lives', async () => {
  const operator = { server, token: platform.token }
  const workspace = `svc:workspace:${platform.id}:public`
  const { id } = await uploadImage(operator, [part], { workspace })
  await server.call('publish_public_image', { params: { id } })
  const blind = await makeToken(server, account, { event: ['list'] })
  const url = await urlOf(id, blind.token)
  assert.equal(await statusOf(url), 200)
  await server.call('delete_token', { params: { id: blind.id }, token })
  assert.equal(await statusOf(url), 403)
})

test('who asked for a URL cannot be changed in it', async () => {
  const { id } = await uploadImage(me, [part])
  const reader = await makeToken(server, account, { image: ['read'] })
  const other = await makeToken(server, account, { image: ['read'] })
  const url = await urlOf(id, reader.token)
  assert.ok(url.includes(reader.id))
  assert.equal(await statusOf(url.replace(reader.id, other.id)), 403)
  assert.equal(await statusOf(url.replace(`holder=${reader.id}&`, '')), 403)
  assert.equal(await statusOf(url.replace(/revoked_at=\d+/, 'revoked_at=7')), 403)
})
