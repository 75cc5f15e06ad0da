import assert from 'node:assert/strict'
import {
  AuthenticationError,
  ConflictError,
  type CreateOrderBody,
  InvalidRequestError,
  NetworkError,
  PaymentRequiredError,
  ServerError,
  TimeoutError,
  UnprocessableEntityError,
} from '@bourse/sdk'
import { test } from 'vitest'
import { beginningNow, mayBePlaced } from './placing.rules.ts'

const failure = (status: number, type: string, code?: string) => ({
  status,
  type,
  message: type,
  requestId: undefined,
  retryAfter: undefined,
  details: code === undefined ? [] : [{ code, message: code }],
})

test('an order may be placed after every error that can follow a request whose response was lost', () => {
  const errors = [
    new NetworkError('no response', { requestId: 'req_1' }),
    new TimeoutError('no response', { requestId: 'req_1' }),
    new ServerError(failure(503, 'api_error')),
    new ConflictError(failure(409, 'conflict', 'idempotency_key_in_use')),
    new AuthenticationError(failure(401, 'authentication_error')),
    new InvalidRequestError(failure(408, 'invalid_request_error')),
  ]
  assert.deepEqual(
    errors.filter((error) => !mayBePlaced(error)).map(({ message, name }) => [name, message]),
    [],
  )
})

test('an order that the server has decided about and refused is not placed', () => {
  const errors = [
    new InvalidRequestError(failure(400, 'invalid_request_error', 'invalid_value')),
    new PaymentRequiredError(failure(402, 'payment_required')),
    new ConflictError(failure(409, 'conflict', 'market_halted')),
    new UnprocessableEntityError(failure(422, 'unprocessable_entity', 'insufficient_allocation')),
  ]
  assert.deepEqual(errors.filter(mayBePlaced), [])
})

test('an order whose first minute has passed meanwhile begins with the running one, and never after its end', () => {
  const window = { start_at: 600, end_at: 1_200, node_count: 2 }
  const body: CreateOrderBody = {
    side: 'buy',
    sku: 'sku_any',
    pool: 'pool_any',
    limit_price_dollars_per_node_hour: '2.5',
    allocation_schedule_delta: [window],
  }
  assert.deepEqual(beginningNow(body, 719)?.allocation_schedule_delta, [{ ...window, start_at: 660 }])
  assert.equal(beginningNow(body, 1_200), undefined)
})
