import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { countsFrom, refuseRepeated, type SuppliedBenchmark, summarizeBenchmarks } from './host-benchmarks.rules.ts'

const shown = ['memory_bandwidth GB/s']

function measured(supplier: string, value: string, measured_at = 100, unit = 'GB/s'): SuppliedBenchmark {
  return { supplier, benchmark: { measured_at, figures: [{ name: 'memory_bandwidth', value, unit }] } }
}

/** The lowest value and the median over hosts, each given as `<supplier> <value>`. */
function boundsOf(...hosts: string[]) {
  const all = hosts.map((host) => measured(...(host.split(' ') as [string, string])))
  const [figure] = summarizeBenchmarks(shown, all)
  return [figure?.lowest, figure?.median]
}

test('a SKU shows the figures that it names, in its order, with the number of hosts and the oldest date', () => {
  const hosts = [measured('a', '9', 101), measured('a', '10.5', 100), measured('b', '100', 99, 'GiB/s')]
  const figure = { name: 'memory_bandwidth', unit: 'GB/s', lowest: '9', median: '9', host_count: 2, measured_at: 100 }
  assert.deepEqual(summarizeBenchmarks(shown, hosts), [figure])
  const both = summarizeBenchmarks(['fp16 TFLOP/s', 'memory_bandwidth GiB/s', ...shown], hosts)
  assert.deepEqual(
    both.map(({ unit, host_count }) => [unit, host_count]),
    [
      ['GiB/s', 1],
      ['GB/s', 2],
    ],
  )
  assert.deepEqual(summarizeBenchmarks([], hosts), [])
  assert.deepEqual(summarizeBenchmarks(shown, []), [])
})

test('each supplier has one vote, and no single host or supplier of three decides', () => {
  assert.deepEqual(boundsOf('a 300', 'b 310'), ['300', '300'])
  assert.deepEqual(boundsOf('a 300', 'b 310', 'c 1'), ['300', '300'])
  assert.deepEqual(boundsOf('a 300', 'b 310', ...Array(9).fill('c 1')), ['300', '300'])
  assert.deepEqual(boundsOf('a 0.09', 'a 300', 'a 310', 'b 305', 'c 320'), ['305', '305'])
  assert.deepEqual(boundsOf('a 1', 'b 2', 'c 3', 'd 4', 'e 5', 'f 6', 'g 7'), ['3', '4'])
  assert.deepEqual(boundsOf('a 0.1', 'b 0.09', 'b 0.095'), ['0.09', '0.09'])
})

test('one of at least three suppliers moves no figure beyond those of the others', () => {
  const value = fc.integer({ min: 200, max: 400 })
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 12 }), fc.integer({ min: 0, max: 9999 }), (others, own) => {
      const bounds = boundsOf(...others.map((one, index) => `other${index} ${one}`), `own ${own}`)
      for (const bound of bounds) {
        assert.ok(Number(bound) >= Math.min(...others) && Number(bound) <= Math.max(...others))
      }
      assert.ok(Number(bounds[0]) <= Number(bounds[1]))
    }),
  )
})

test('two figures of one name are refused, and 90 days count', () => {
  const { figures } = measured('a', '1').benchmark
  assert.equal(refuseRepeated(figures), undefined)
  assert.equal(refuseRepeated([...figures, ...figures])?.field, 'figures.1.name')
  assert.equal(countsFrom(100 * 86_400), 10 * 86_400)
})
