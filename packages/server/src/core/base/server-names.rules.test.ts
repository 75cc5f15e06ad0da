import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isNameOfServer, namesOfServer } from './server-names.rules.ts'

const names = namesOfServer(['https://Market.Example:8443/sub', 'replica-1.internal'])

test('a name that another site controls is none of the server', () => {
  const given = ['evil.example', 'market.example.evil.example', '127.0.0.1.nip.io', 'localhost.evil.example:80']
  for (const host of [...given, 'other.internal', 'market.example@evil.example', 'a b', '', '.']) {
    assert.equal(isNameOfServer(host, names), false, host)
  }
})

test('addresses, names without a dot and the own names are names of the server, with any port', () => {
  const own = ['market.example', 'MARKET.example.:9090', 'replica-1.internal:1']
  const addresses = ['127.0.0.1:8080', '10.0.0.7', '[2001:db8::1]:9090']
  for (const host of [...own, ...addresses, 'localhost', 'localhost.', 'a.localhost', 'bourse:1']) {
    assert.equal(isNameOfServer(host, names), true, host)
  }
})
