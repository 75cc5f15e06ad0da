import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { sshKeyLine } from '../../server/test/support/fixtures/ssh-keys.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'

const server = await startTestServer()
const { token } = await server.account()
const run = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token })
const directory = newDirectory()
const fileOf = (name: string, text: string) => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

test('a key is added from a file or as a line, listed with its fingerprint, and deleted', async () => {
  const added = await run(
    'ssh-keys',
    'add',
    fileOf('laptop.pub', `${sshKeyLine('laptop', 'ada@laptop')}\n`),
    '-o',
    'json',
  )
  assert.equal(added.code, 0, added.err)
  const key = JSON.parse(added.out)
  assert.equal(key.name, 'ada@laptop')
  const typed = await run('ssh-keys', 'add', sshKeyLine('typed'), '--name', 'typed', '-o', 'id')
  assert.equal(typed.code, 0, typed.err)
  const listed = await run('ssh-keys', 'list', '-o', 'csv', '--columns', 'name,fingerprint', '--no-header')
  assert.deepEqual(listed.out.trim().split('\n').sort()[0], `ada@laptop,${key.fingerprint}`)
  const deleted = await run('ssh-keys', 'delete', key.id, '--yes')
  assert.equal(deleted.code, 0, deleted.err)
  assert.match((await run('ssh-keys', 'list', '-o', 'csv')).out, /typed/)
})

test('a key is found by its name, which may be any text, where it is the only one of that name', async () => {
  const add = async (seed: string) =>
    (await run('ssh-keys', 'add', sshKeyLine(seed, 'bob@desk 2'), '-o', 'id')).out.trim()
  const [one, other] = [await add('one'), await add('other')]
  const unclear = await run('ssh-keys', 'delete', 'bob@desk 2', '--yes')
  assert.deepEqual([unclear.code, /2 SSH keys have the name bob@desk 2/.test(unclear.err)], [2, true], unclear.err)
  assert.equal((await run('ssh-keys', 'delete', other, '--yes')).code, 0)
  assert.match((await run('ssh-keys', 'get', 'bob@desk 2', '-o', 'id')).out, new RegExp(one))
  assert.equal((await run('ssh-keys', 'delete', 'bob@desk 2', '--yes')).code, 0)
  const absent = await run('ssh-keys', 'delete', 'bob@desk 2', '--yes')
  assert.match(absent.err, /There is no SSH key bob@desk 2 that you can see/)
})

test('what is no public key is refused before anything is sent, and a private one above all', async () => {
  const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  // Nothing answers there.
  const nowhere = runnerFor({ BOURSE_BASE_URL: 'http://127.0.0.1:9', BOURSE_API_TOKEN: token })
  const refused = await nowhere('ssh-keys', 'add', fileOf('id_ed25519', secret))
  assert.equal(refused.code, 2)
  assert.match(refused.err, /This is a private key\. It was not sent\./)
  assert.ok(!refused.err.includes(secret.split('\n')[1]?.slice(0, 8) as string))
  const missing = await nowhere('ssh-keys', 'add', join(directory, 'absent.pub'))
  assert.deepEqual([missing.code, /cannot be read/.test(missing.err)], [2, true])
})
