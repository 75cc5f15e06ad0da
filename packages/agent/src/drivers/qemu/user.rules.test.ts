import assert from 'node:assert/strict'
import { test } from 'vitest'
import { confinement, keyScan, kvmGroup, onProcessors, toolConfinement, withinNamespace } from './user.rules.ts'

test('under root a machine runs as its own user, with only the KVM group, and gains no rights', () => {
  const words = ['setpriv', '--reuid=59003', '--regid=59003', '--clear-groups', '--no-new-privs', '--']
  assert.deepEqual(confinement({ uid: 59_003, kvm_gid: undefined }), words)
  assert.ok(confinement({ uid: 59_003, kvm_gid: 106 }).includes('--groups=106'))
})

test('under an ordinary user a machine runs as that user, and gains no rights', () => {
  assert.deepEqual(confinement(undefined), ['setpriv', '--no-new-privs', '--'])
})

test('no machine gets the group of root, even if it gives access to KVM', () => {
  assert.equal(kvmGroup({ gid: 106, mode: 0o20660 }), 106)
  assert.equal(kvmGroup({ gid: 106, mode: 0o20600 }), undefined)
  assert.equal(kvmGroup({ gid: 0, mode: 0o20660 }), undefined)
})

test('a tool that reads untrusted bytes gets resource limits before it changes its user', () => {
  const words = toolConfinement({ uid: 59_003, kvm_gid: undefined })
  assert.equal(words[0], 'prlimit')
  assert.ok(words.includes('--cpu=30') && words.indexOf('prlimit') < words.indexOf('setpriv'))
})

test('the tool that talks to a guest is confined like the guest', () => {
  const user = { uid: 59_003, kvm_gid: undefined }
  const words = keyScan(user, { address: '192.0.2.7', port: 2201 })
  assert.deepEqual(words.slice(0, toolConfinement(user).length), toolConfinement(user))
  assert.deepEqual(words.slice(toolConfinement(user).length), [
    'ssh-keyscan',
    '-T',
    '3',
    '-t',
    'ed25519,rsa,ecdsa',
    '-p',
    '2201',
    '192.0.2.7',
  ])
  assert.ok(keyScan(undefined, { address: '192.0.2.7', port: 2201 }).includes('--no-new-privs'))
})

test('a machine enters its network namespace', () => {
  assert.deepEqual(withinNamespace(undefined), [])
  assert.deepEqual(withinNamespace('bourse-a'), ['nsenter', '--net=/run/netns/bourse-a', '--'])
})

test('a machine stays on its processors', () => {
  assert.deepEqual(onProcessors([0, 56]), ['taskset', '--cpu-list', '0,56'])
  assert.deepEqual(onProcessors([]), [])
})
