import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'vitest'
import { curlOf } from './curl.ts'

const headers = { authorization: 'Bearer secret', 'x-request-id': 'req_1', accept: '*/*' }

test('the command shows the variable of the token, or the token itself on request', () => {
  const url = 'http://127.0.0.1:8080/v2/skus?limit=5'
  const masked = curlOf(url, { headers })
  assert.equal(masked, `curl -sS -H "Authorization: Bearer $BOURSE_API_TOKEN" '${url}'`)
  assert.equal(curlOf(url, { headers }, 'secret'), `curl -sS -H 'Authorization: Bearer secret' '${url}'`)
})

test('method, key and body are kept', () => {
  const body = { 'content-type': 'application/json', 'idempotency-key': 'k' }
  assert.equal(
    curlOf('http://a/b', { method: 'POST', headers: { ...headers, ...body }, body: '{"a":1}' }),
    `curl -sS -X POST -H "Authorization: Bearer $BOURSE_API_TOKEN" -H 'content-type: application/json' ` +
      `-H 'idempotency-key: k' --data-raw '{"a":1}' 'http://a/b'`,
  )
})

test('a shell reads exactly the given body', () => {
  const bodies = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).filter((text) => !text.includes('\0'))
  const check = (body: string) => {
    const command = curlOf('http://a/', { method: 'POST', body })
    const shown = execFileSync('/bin/sh', [
      '-c',
      command.replace(/^curl .* --data-raw/s, 'printf %s').replace(/ 'http:\/\/a\/'$/, ''),
    ])
    assert.equal(shown.toString(), Buffer.from(body).toString())
  }
  fc.assert(fc.property(bodies, check), { numRuns: 30 })
})
