import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createJoinedPages } from './joined-pages.ts'

const page = (requests: number, memory: number, more = '') => `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{status="200",path="a} b"} ${requests}
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{le="+Inf"} ${requests}
seconds_sum ${requests / 4}
seconds_count ${requests}
# HELP memory_bytes Memory.
# TYPE memory_bytes gauge
memory_bytes ${memory}
# HELP space_bytes Memory by space.
# TYPE space_bytes gauge
space_bytes{space="new"} ${memory}
${more}`

const both = new Set(['1', '2'])
const valuesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('counters and histograms are added up, gauges have the label of their process', () => {
  const pages = createJoinedPages()
  pages.take('1', page(8, 100))
  pages.take('2', page(4, 50))
  assert.deepEqual(valuesOf(pages.print(both)), [
    'requests_total{status="200",path="a} b"} 12',
    'seconds_bucket{le="+Inf"} 12',
    'seconds_sum 3',
    'seconds_count 12',
    'memory_bytes{worker="1"} 100',
    'memory_bytes{worker="2"} 50',
    'space_bytes{space="new",worker="1"} 100',
    'space_bytes{space="new",worker="2"} 50',
  ])
  const heads = pages
    .print(both)
    .split('\n')
    .filter((line) => line.startsWith('#'))
  assert.equal(heads.length, 8)
  assert.equal(heads[0], '# HELP requests_total Requests.')
})

test('a sum never falls: not where a process ends, is started again, or says nothing', () => {
  const pages = createJoinedPages()
  pages.take('1', page(8, 100))
  pages.take('2', page(4, 50))
  const requests = (present = both) => valuesOf(pages.print(present))[0]
  assert.equal(requests(new Set(['1'])), 'requests_total{status="200",path="a} b"} 12')
  assert.ok(!pages.print(new Set(['1'])).includes('memory_bytes{worker="2"}'))
  pages.end('2')
  assert.equal(requests(), 'requests_total{status="200",path="a} b"} 12')
  assert.ok(!pages.print(both).includes('worker="2"'))
  pages.take('2', page(1, 10))
  assert.equal(requests(), 'requests_total{status="200",path="a} b"} 13')
  pages.end('2')
  pages.end('2')
  assert.equal(requests(), 'requests_total{status="200",path="a} b"} 13')
})

test('a family that one process has alone is there, and one whose name begins like another is its own', () => {
  const pages = createJoinedPages()
  const more = '# HELP seconds_total Other.\n# TYPE seconds_total counter\nseconds_total 5\n'
  pages.take('1', page(8, 100))
  pages.take('2', page(4, 50, more))
  pages.end('2')
  pages.take('2', page(0, 50, more))
  const values = valuesOf(pages.print(both))
  assert.ok(values.includes('seconds_total 10'))
  assert.equal(values.filter((line) => line.startsWith('seconds_sum')).length, 1)
  assert.ok(values.includes('seconds_sum 3'))
})

test('lines that are no samples are left out, and so is what has no value', () => {
  const pages = createJoinedPages()
  pages.take('1', 'stray 1\n# HELP a A.\n# TYPE a gauge\nnot a sample\na +Inf\n')
  assert.equal(pages.print(both), '# HELP a A.\n# TYPE a gauge\na{worker="1"} +Inf\n')
  assert.equal(createJoinedPages().print(both), '')
})
