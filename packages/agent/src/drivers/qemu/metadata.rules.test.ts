import assert from 'node:assert/strict'
import { test } from 'vitest'
import { answerMetadata } from './metadata.rules.ts'

const notice = { deadline_at: 1_900_000_000, reason: 'allocation_ended' }
const question = 'GET /bourse/v1/termination HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n'

test('a guest with a notice reads the time and the reason of its end', () => {
  const { response = '', rest } = answerMetadata(question, notice)
  const [head = '', body = ''] = response.split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(head, new RegExp(`content-length: ${body.length}$`))
  assert.deepEqual(JSON.parse(body), notice)
  assert.equal(rest, '')
})

test('the response is 404 without a notice, and for any other path', () => {
  assert.match(answerMetadata(question, null).response ?? '', /^HTTP\/1\.1 404 /)
  for (const line of ['GET / HTTP/1.1', 'POST /bourse/v1/termination HTTP/1.1', 'nonsense']) {
    assert.match(answerMetadata(`${line}\r\n\r\n`, notice).response ?? '', /^HTTP\/1\.1 404 /, line)
  }
})

test('HEAD gets only the head of the response', () => {
  const { response = '' } = answerMetadata(question.replace('GET', 'HEAD'), notice)
  assert.match(response, /^HTTP\/1\.1 200 .*\r\n\r\n$/s)
})

test('a request may arrive in pieces, and one that is too long is dropped', () => {
  assert.deepEqual(answerMetadata(question.slice(0, 30), notice), { response: undefined, rest: question.slice(0, 30) })
  assert.deepEqual(answerMetadata('x'.repeat(20_000), notice), { response: undefined, rest: '' })
})
