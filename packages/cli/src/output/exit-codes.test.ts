import assert from 'node:assert/strict'
import {
  apiError,
  MalformedAnswerError,
  NetworkError,
  TimeoutError,
  UnreachableStateError,
  WaitTimeoutError,
} from '@bourse/sdk/errors.ts'
import { startProblem } from '@bourse/server/core/base/start-problem.ts'
import { inputProblem } from '@bourse/text/grammar/input-problem.ts'
import { test } from 'vitest'
import { exitCodeOf, exitCodes, exitMeanings } from './exit-codes.ts'
import { nothingTraded } from './outcome.ts'
import { usageProblem } from './usage.ts'

function answered(status: number, type: string, ...codes: string[]): Error {
  const details = codes.map((code) => ({ field: null, code, message: 'No.' }))
  return apiError({ status, type, message: 'No.', details, requestId: undefined, retryAfter: undefined })
}

test('every kind of failure has its documented exit code', () => {
  const requestId = 'req_1'
  const cases: [Error, number][] = [
    [new Error('anything'), 1],
    [answered(402, 'payment_required'), 1],
    [answered(418, 'a_type_of_the_future'), 1],
    [new UnreachableStateError('It has ended.', 'terminated'), 1],
    [startProblem('data_directory_held', 'Held.'), 1],
    [usageProblem('Wrong.'), 2],
    [inputProblem('Not a time.', 'Write now.'), 2],
    [nothingTraded('No offers.'), 3],
    [usageProblem('No token.', 'Set one.', 'access'), 77],
    [answered(401, 'authentication_error'), 77],
    [answered(403, 'forbidden'), 77],
    [answered(404, 'not_found'), 4],
    [answered(410, 'gone'), 4],
    [answered(409, 'conflict'), 5],
    [answered(429, 'rate_limited'), 6],
    [answered(500, 'api_error'), 7],
    [answered(503, 'api_error'), 7],
    [new NetworkError('No answer.', { requestId }), 7],
    [new TimeoutError('No answer.', { requestId }), 7],
    [new MalformedAnswerError('What is this?', { status: 200, requestId }), 7],
    [answered(400, 'invalid_request_error'), 8],
    [answered(422, 'unprocessable_entity'), 8],
    [answered(422, 'unprocessable_entity', 'not_offered'), 3],
    [new WaitTimeoutError('Too late.', 'running'), 124],
  ]
  for (const [error, code] of cases) assert.equal(exitCodeOf(error), code, `${error.name}: ${error.message}`)
})

test('every exit code is explained', () => {
  assert.deepEqual(Object.keys(exitMeanings).sort(), Object.keys(exitCodes).sort())
})
