import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { machinesFolder } from '../../../test/support/driver-contract.ts'
import { newSpec } from '../../../test/support/new-spec.ts'
import type { PlacedKey } from '../driver.ts'
import { files } from './command-line.rules.ts'
import { syncGuestKeys } from './guest-keys.ts'

type Question = { readonly execute: string; readonly arguments?: Readonly<Record<string, unknown>> }
type Guest = (question: Question, socket: Socket) => unknown

/** A machine whose guest agent answers in a way; what it was asked. */
async function machineWith(guest: Guest) {
  const spec = newSpec(machinesFolder(), null)
  const asked: Question[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (piece) => {
      text += piece.toString('latin1').replaceAll('\u00ff', '')
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const question = JSON.parse(line) as Question
        asked.push(question)
        const answer = guest(question, socket)
        if (answer !== undefined) socket.write(`${JSON.stringify(answer)}\n`)
      }
    })
  })
  server.listen(join(spec.directory, files.guest))
  await once(server, 'listening')
  atEnd(() => server.close())
  return { spec, asked }
}

const line = (id: string) => `ssh-ed25519 AAAA${id} ada ${id}`
const key = (id: string): PlacedKey => ({ id: id as PlacedKey['id'], public_key: line(id) })
const known = { placed: ['sshk_a', 'sshk_b'], is_settled: false }

/** A guest with two users, one of whom has no file. */
const usual: Guest = ({ execute, arguments: { id, username } = {} }, socket) => {
  if (execute === 'guest-sync-delimited') {
    socket.write(Buffer.concat([Buffer.from('{"return": 1}\n'), Buffer.from([255])]))
    return { return: id }
  }
  if (execute === 'guest-get-osinfo') return { return: { id: 'debian' } }
  if (execute !== 'guest-ssh-get-authorized-keys') return { return: {} }
  if (username === 'root') return { error: { class: 'GenericError', desc: 'no such file' } }
  return { return: { keys: [line('sshk_a'), line('sshk_b'), 'ssh-ed25519 AAAA own'] } }
}

test('a guest loses the key that it must not have, gets the one that it lacks, and keeps its own', async () => {
  const { spec, asked } = await machineWith(usual)
  const ssh_keys = [key('sshk_b'), key('sshk_c')]
  assert.deepEqual(await syncGuestKeys({ ...spec, ssh_keys }, known), ['sshk_b', 'sshk_c'])
  const changes = asked.filter(({ execute }) => /add|remove/.test(execute))
  assert.deepEqual(changes, [
    {
      execute: 'guest-ssh-remove-authorized-keys',
      arguments: { username: 'debian', keys: [line('sshk_a')] },
    },
    {
      execute: 'guest-ssh-add-authorized-keys',
      arguments: { username: 'debian', keys: [line('sshk_c')] },
    },
  ])
})

test('a guest that refuses every change keeps its keys, and one without users has those that it had', async () => {
  const { spec } = await machineWith((question, socket) => {
    return /add/.test(question.execute) ? { error: { desc: 'disabled' } } : usual(question, socket)
  })
  assert.deepEqual(await syncGuestKeys({ ...spec, ssh_keys: [key('sshk_b'), key('sshk_c')] }, known), ['sshk_b'])
  const deaf = await machineWith((question, socket) => {
    return /remove/.test(question.execute) ? { error: { desc: 'disabled' } } : usual(question, socket)
  })
  await assert.rejects(syncGuestKeys(deaf.spec, known), /disabled/)
})

test('a guest that says nothing, nonsense or too much counts as one without an agent', async () => {
  const endless = Buffer.alloc(2 ** 20, 'x')
  const guests: Record<string, Guest> = {
    nothing: () => undefined,
    nonsense: (question, socket) => {
      if (question.execute.includes('sync')) return usual(question, socket)
      socket.write('no json\n')
      return undefined
    },
    'too much': (_question, socket) => {
      socket.write(endless)
      socket.write(endless)
      return undefined
    },
    'an end': (_question, socket) => void socket.destroy(),
  }
  for (const [name, guest] of Object.entries(guests)) {
    const { spec } = await machineWith(guest)
    assert.equal(await syncGuestKeys(spec, known), undefined, name)
  }
  assert.equal(await syncGuestKeys(newSpec(machinesFolder(), null), known), undefined, 'no socket')
})
