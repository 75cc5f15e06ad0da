import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makePerson, makeUser } from '../../../test/support/fixtures/people.ts'
import { startTestServer, type TestAccount } from '../../../test/support/server.ts'
import { statement } from '../../core/db/db.ts'
import { systemCommand } from '../../core/work/command.ts'
import type { Server } from '../../server.ts'
import { listEndingAdmins } from './grants.store.ts'

const server = await startTestServer()
const { runtime } = server.inside as Server

const noticeSeconds = 14 * 86_400
const issuer = 'https://dex.example'

async function adminUntil({ token }: TestAccount, expires_at: number) {
  const made = await server.call('create_token', { token, body: { expires_at } })
  const body = { principal_type: 'token', principal_id: made.id, role: 'role_admin' } as const
  await server.call('create_grant', { token, body })
  return made
}

/** What is reported of an account whose provider has this issuer. */
async function reported({ id }: TestAccount, present = issuer) {
  const providers = [
    { account: id, issuer: present },
    { account: 'another', issuer },
  ]
  const found = await listEndingAdmins(runtime.database.reader, providers)
  return found.find(({ account_id }) => account_id === id)
}

test('an account is reported when its last admin token ends within 14 days', async () => {
  const account = await server.account()
  const me = await server.call('get_account', { token: account.token })
  const soon = me.server.now + noticeSeconds
  const later = await adminUntil(account, soon + 3600)
  await adminUntil(account, soon - 3600)
  assert.equal(await reported(account), undefined)
  await server.call('delete_token', { params: { id: me.token.id }, token: later.token })
  assert.equal(await reported(account), undefined)
  await server.advance(3600)
  assert.deepEqual(await reported(account), { account_id: account.id, last_admin_token_ends_at: later.expires_at })
})

test('an account is not reported if a person can come in for longer as its admin', async () => {
  const account = await server.account()
  const me = await server.call('get_account', { token: account.token })
  const ending = await adminUntil(account, me.server.now + noticeSeconds - 3600)
  await server.call('delete_token', { params: { id: me.token.id }, token: ending.token })
  const maker = { ...account, token: ending.token }
  const missing = { account_id: account.id, last_admin_token_ends_at: ending.expires_at }
  const write = (text: string, user: string) =>
    systemCommand(runtime, ({ db }) => db.run(statement<never>(null, text), [account.id, user]))
  const addPasskey = (user: string) =>
    write(
      `insert into passkeys values ('psky_' || $2, $1, $2, 'key', convert_to($2, 'UTF8'), '', 0, '{}', false, 0)`,
      user,
    )
  const viewer = await makeUser(server, maker, 'role_viewer')
  await addPasskey(viewer.id)
  const admin = await makeUser(server, maker, 'role_admin')
  assert.deepEqual(await reported(account), missing, 'the admin has no way in')
  await write(`insert into identities values ('idnt_1', $1, $2, '${issuer}', 'lin', 'dex', null, 0)`, admin.id)
  assert.equal(await reported(account), undefined, 'an identity')
  assert.deepEqual(await reported(account, 'https://other.example'), missing, 'the provider is gone')
  await addPasskey(admin.id)
  assert.equal(await reported(account, 'https://other.example'), undefined, 'a passkey')
})

test('an account without admin tokens is reported if none of its admins can come in for longer', async () => {
  const account = await server.account()
  const { token } = await server.call('get_account', { token: account.token })
  const person = await makePerson(server, account, 'role_admin')
  await person.call('delete_token', { params: { id: token.id } })
  assert.deepEqual(await reported(account), { account_id: account.id, last_admin_token_ends_at: null })
})
