import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confinement, kvmGroup, toolConfinement, withinNamespace } from './user.rules.ts'

test('a machine of root runs as its own user, without groups but the one for KVM, and gains no rights', () => {
  const words = ['setpriv', '--reuid=59003', '--regid=59003', '--clear-groups', '--no-new-privs', '--']
  assert.deepEqual(confinement({ uid: 59_003, kvm_gid: undefined }), words)
  assert.ok(confinement({ uid: 59_003, kvm_gid: 106 }).includes('--groups=106'))
})

test('a machine of an ordinary agent has its user, and gains no rights either', () => {
  assert.deepEqual(confinement(undefined), ['setpriv', '--no-new-privs', '--'])
})

test('the group of root is given to no machine, even if it opens KVM', () => {
  assert.equal(kvmGroup({ gid: 106, mode: 0o20660 }), 106)
  assert.equal(kvmGroup({ gid: 106, mode: 0o20600 }), undefined)
  assert.equal(kvmGroup({ gid: 0, mode: 0o20660 }), undefined)
})

test('a tool that reads hostile bytes has bounds before it has a user', () => {
  const words = toolConfinement({ uid: 59_003, kvm_gid: undefined })
  assert.equal(words[0], 'prlimit')
  assert.ok(words.includes('--cpu=30') && words.indexOf('prlimit') < words.indexOf('setpriv'))
})

test('a machine goes into the network that was made for it', () => {
  assert.deepEqual(withinNamespace(undefined), [])
  assert.deepEqual(withinNamespace('bourse-a'), ['nsenter', '--net=/run/netns/bourse-a', '--'])
})
