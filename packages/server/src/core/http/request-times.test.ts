import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createRequestTimes } from './request-times.ts'

test('each request counts in every bucket whose bound is not below its time, and in sum and count', () => {
  const times = createRequestTimes()
  for (const milliseconds of [0.5, 1, 1.5, 4000, 60_000]) times.observe('list_skus', 200, milliseconds)
  times.observe('list_skus', 401, 3)
  const lines = times.text().split('\n')
  assert.equal(lines.filter((line) => line.startsWith('#')).length, 2)
  const countOf = (series: string) => lines.find((line) => line.startsWith(`bourse_http_request_seconds_${series}`))
  for (const [series, count] of [
    ['bucket{le="0.001",operation="list_skus",status="200"}', 2],
    ['bucket{le="0.0025",operation="list_skus",status="200"}', 3],
    ['bucket{le="2.5",operation="list_skus",status="200"}', 3],
    ['bucket{le="5",operation="list_skus",status="200"}', 4],
    ['bucket{le="+Inf",operation="list_skus",status="200"}', 5],
    ['count{operation="list_skus",status="200"}', 5],
    ['sum{operation="list_skus",status="200"}', 64.003],
    ['bucket{le="0.0025",operation="list_skus",status="401"}', 0],
    ['bucket{le="0.005",operation="list_skus",status="401"}', 1],
  ] as const) {
    assert.equal(countOf(series), `bourse_http_request_seconds_${series} ${count}`)
  }
})
