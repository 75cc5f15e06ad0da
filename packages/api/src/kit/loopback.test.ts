import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isLoopbackHost, isUnencryptedUrl } from './loopback.ts'

test('only this machine is a loopback host', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1', '[::1]']) {
    assert.equal(isLoopbackHost(host), true, host)
  }
  const others = ['', '0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'localhost.example', '127.0.0.1.example', '1127.0.0.1']
  for (const host of others) assert.equal(isLoopbackHost(host), false, host)
})

test('plain HTTP to another machine is unencrypted', () => {
  for (const url of ['http://market.example', 'http://10.0.0.1:8080/x', 'http://user@market.example', 'HTTP://a.b']) {
    assert.equal(isUnencryptedUrl(url), true, url)
  }
  // URLs have several spellings of 127.0.0.1.
  const fine = ['https://market.example', 'http://localhost:1', 'http://127.1', 'http://[::1]:80', 'nonsense', '']
  for (const url of fine) assert.equal(isUnencryptedUrl(url), false, url)
  assert.equal(isUnencryptedUrl('http://localhost@market.example'), true)
})
