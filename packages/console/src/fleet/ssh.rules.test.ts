import assert from 'node:assert/strict'
import { test } from 'vitest'
import { bourseSsh, isSimulated, knownHosts, sshCommand } from './ssh.rules.ts'
import { fingerprintText } from './ssh-fingerprint.ts'

test('lines for OpenSSH have the port, and what a host reports is neither an option nor a second line', () => {
  const place = { hostname: '203.0.113.7', port: 20_022 }
  assert.equal(sshCommand(place), 'ssh -p 20022 -- root@203.0.113.7')
  assert.equal(sshCommand({ ...place, hostname: '-oProxyCommand=x y' }), "ssh -p 20022 -- 'root@-oProxyCommand=x y'")
  const key = { key_type: 'ssh-ed25519', key: 'AAAA\nevil ssh-rsa BBBB' }
  assert.equal(knownHosts(place, key), '[203.0.113.7]:20022 ssh-ed25519 AAAAevil ssh-rsa BBBB')
  assert.ok(isSimulated({ ...place, hostname: 'simulated.invalid' }) && !isSimulated(place))
})

test('a fingerprint is that of OpenSSH, and absent where nothing can be hashed', async () => {
  const { subtle } = globalThis.crypto
  assert.equal(await fingerprintText(btoa('key'), subtle), 'SHA256:LHDhK3oGRvkiefQnx7OOczTY5Tic/xZ6HcMOc/gmtoM')
  assert.equal(await fingerprintText('not base64!', subtle), '')
  assert.equal(await fingerprintText('AAAA', undefined), '')
})

test('an instance of one’s own workspace is called by its name, any other by its id', () => {
  const instance = { id: 'inst_1', name: 'web', workspace: { id: 'wksp_1' } }
  assert.equal(bourseSsh(instance, 'wksp_1'), 'bourse ssh web')
  assert.equal(bourseSsh(instance, 'wksp_2'), 'bourse ssh inst_1')
  assert.equal(bourseSsh(instance, undefined), 'bourse ssh inst_1')
})
