import assert from 'node:assert/strict'
import { base64Of } from '@bourse/text/base64.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { fromBase64, problemsOfUserData, userDataOf, userDataText, withUserData } from './launch.rules.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3 ada@example'

test('keys become a cloud-config, join one, or stand beside a script', () => {
  assert.deepEqual(userDataOf('', ''), { text: '' })
  assert.deepEqual(userDataOf('#!/bin/sh\r\necho', ''), { text: '#!/bin/sh\necho\n' })
  const block = `ssh_authorized_keys:\n  - "${key}"\n`
  assert.deepEqual(userDataOf('', ` ${key} `), { text: `#cloud-config\n${block}` })
  assert.deepEqual(userDataOf('#cloud-config\npackages: [git]', key), {
    text: `#cloud-config\npackages: [git]\n${block}`,
  })
  const archive = userDataOf('#!/bin/sh\n\n  echo hello\n', key)
  assert.ok('text' in archive)
  assert.match(
    archive.text,
    /^#cloud-config-archive\n- type: text\/cloud-config\n {2}content: \|2\n {4}#cloud-config\n/,
  )
  assert.match(archive.text, /- type: text\/x-shellscript\n {2}content: \|2\n {4}#!\/bin\/sh\n\n {6}echo hello\n$/)
})

test('a field that cannot be sent is named, with what to do', () => {
  const wrong = (typed: string, keys: string) => {
    const data = userDataOf(typed, keys)
    return 'wrong' in data ? `${data.wrong}: ${data.message}` : ''
  }
  assert.match(wrong('', '-----BEGIN OPENSSH PRIVATE KEY-----'), /^keys: .*private key/)
  assert.match(wrong('', 'hello'), /^keys: “hello” is not a public key/)
  assert.match(wrong('#cloud-config\nssh_authorized_keys: []', key), /^keys: /)
  assert.match(wrong('hello', key), /^cloud_init_user_data: /)
  assert.deepEqual(Object.keys(problemsOfUserData({ keys: 'hello' })), ['keys'])
  assert.deepEqual(problemsOfUserData({ keys: key }), {})
  assert.equal(userDataText({ keys: 'hello' }), '')
})

test('a body has the user data of both fields, or none', () => {
  const body = { pool: 'p', cloud_init_user_data: '#!/bin/sh' }
  assert.deepEqual(withUserData(body, {}), { pool: 'p' })
  const typed = { cloud_init_user_data: '#!/bin/sh', keys: key }
  const { cloud_init_user_data: data, ...rest } = withUserData(body, typed) as Record<string, string>
  assert.deepEqual(rest, { pool: 'p' })
  assert.equal(fromBase64(String(data)), userDataText(typed))
})

test('base64 keeps every text', () => {
  fc.assert(fc.property(fc.string(), (text) => fromBase64(base64Of(text)) === text))
  assert.equal(fromBase64(base64Of('é 𝒳')), 'é 𝒳')
})
