import assert from 'node:assert/strict'
import { base64Of } from '@bourse/text/base64.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { emptyLaunch, fromBase64, launchRequest, nameFilter, tagFilter, userDataOf } from './launch.rules.ts'

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
  assert.match(wrong('hello', key), /^user_data: /)
  assert.deepEqual(launchRequest(emptyLaunch), { wrong: 'pool', message: 'Choose a pool.' })
  const chosen = { ...emptyLaunch, pool: 'p', sku: 's' }
  assert.deepEqual(launchRequest(chosen), { wrong: 'image', message: 'Choose an image.' })
  assert.deepEqual(launchRequest({ ...chosen, image: 'i', tags: 'x' }), {
    wrong: 'tags',
    message: '“x” is not a tag: write key=value.',
  })
})

test('a request has what was typed, and nothing of fields that do not apply', () => {
  const draft = {
    ...emptyLaunch,
    pool: 'p',
    sku: 's',
    image: 'i',
    firewall: 'f',
    name: ' web ',
    tags: 'a=b',
    keys: key,
  }
  const request = launchRequest(draft)
  assert.ok('body' in request)
  const { cloud_init_user_data: data, ...rest } = request.body
  assert.deepEqual(rest, { pool: 'p', sku: 's', image: 'i', name: 'web', tags: { a: 'b' } })
  assert.equal(fromBase64(String(data)), request.user_data)
  const open = launchRequest({ ...draft, has_public_ip: true, keys: '' })
  assert.ok('body' in open && open.body._preview_firewall === 'f' && !('cloud_init_user_data' in open.body))
})

test('base64 keeps every text', () => {
  fc.assert(fc.property(fc.string(), (text) => fromBase64(base64Of(text)) === text))
  assert.equal(fromBase64(base64Of('é 𝒳')), 'é 𝒳')
})

test('a filter of tags is a key or a pair, one of names a part of them or a pattern', () => {
  assert.deepEqual(tagFilter(' team=research '), { tag: 'team=research' })
  assert.deepEqual(tagFilter('team'), { tag_key: 'team' })
  assert.deepEqual(tagFilter('team='), { tag_key: 'team' })
  assert.deepEqual(tagFilter(''), {})
  assert.deepEqual([nameFilter('web'), nameFilter('web-*'), nameFilter('')], [{ name: '*web*' }, { name: 'web-*' }, {}])
})
