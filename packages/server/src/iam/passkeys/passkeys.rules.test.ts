import assert from 'node:assert/strict'
import { test } from 'vitest'
import { nameFor, relyingPartyOf } from './passkeys.rules.ts'

test('passkeys are bound to the domain of the public URL', () => {
  const production = (public_url: string, host?: string) => relyingPartyOf({ mode: 'production', public_url, host })
  assert.deepEqual(production('https://market.example'), { id: 'market.example', origin: 'https://market.example' })
  assert.deepEqual(production('https://market.example:8443/bourse', 'evil.example'), {
    id: 'market.example',
    origin: 'https://market.example:8443',
  })
  for (const url of [
    'http://market.example',
    'https://192.0.2.1',
    'https://[2001:db8::1]:8080',
    'http://127.0.0.1:80',
  ]) {
    assert.equal(production(url), undefined, url)
  }
})

test('a sandbox has passkeys where it is reached as localhost', () => {
  const sandbox = (host?: string) => relyingPartyOf({ mode: 'sandbox', public_url: 'http://127.0.0.1:8080', host })
  assert.deepEqual(sandbox('localhost:8080'), { id: 'localhost', origin: 'http://localhost:8080' })
  for (const host of [undefined, '127.0.0.1:8080', 'evil.example', 'localhost.evil.example', 'a b', '']) {
    assert.equal(sandbox(host), undefined, host)
  }
})

test('a passkey without a name is named after what made it', () => {
  assert.equal(nameFor('Mozilla/5.0 (Macintosh; Intel Mac OS X)', []), 'Mac')
  assert.equal(nameFor('Mozilla/5.0 (X11; Linux x86_64)', ['Linux', 'Linux 2']), 'Linux 3')
  assert.equal(nameFor('unknown', []), 'Passkey')
})
