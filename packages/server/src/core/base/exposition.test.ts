import assert from 'node:assert/strict'
import { test } from 'vitest'
import { parseExposition } from '../../../test/events/exposition.ts'
import { type Family, printFamilies } from './exposition.ts'

const of: Family = { type: 'gauge', name: 'bourse_things', help: 'Things.', label: 'kind' }

test('families print their help, type and samples, and values are escaped', () => {
  const help = 'A \\ and\nanother line.'
  const label = 'a "quoted" \\ name\nof two lines'
  const page = printFamilies([
    [{ ...of, help }, [{ label, value: 1.5 }]],
    [{ type: 'counter', name: 'bourse_steps_total', help: 'Steps.' }, [{ value: 3 }]],
  ])
  assert.equal(
    page,
    [
      '# HELP bourse_things A \\\\ and\\nanother line.',
      '# TYPE bourse_things gauge',
      'bourse_things{kind="a \\"quoted\\" \\\\ name\\nof two lines"} 1.5',
      '# HELP bourse_steps_total Steps.',
      '# TYPE bourse_steps_total counter',
      'bourse_steps_total 3',
      '',
    ].join('\n'),
  )
  assert.deepEqual([...parseExposition(page).keys()], ['bourse_things', 'bourse_steps_total'])
})

test('known values of a label are always shown, others are added up, and no series is printed twice', () => {
  const known = { ...of, shown: ['a', 'b'] }
  const samples = ['b', 'x', 'y', 'x'].map((label) => ({ label, value: 2 }))
  const samplesOf = (family: Family) => [
    ...(parseExposition(printFamilies([[family, samples]])).get('bourse_things')?.samples ?? []),
  ]
  const series = (kind: string, value: number) => [`bourse_things{kind="${kind}"}`, value]
  assert.deepEqual(samplesOf({ ...known, rest: 'other' }), [series('a', 0), series('b', 2), series('other', 6)])
  assert.deepEqual(samplesOf(known), [series('a', 0), series('b', 2), series('x', 4), series('y', 2)])
})

test('the parser of the tests refuses what a scraper or the conventions refuse', () => {
  const head = '# HELP a_b Help.\n# TYPE a_b gauge\n'
  for (const page of [
    'a_b 1\n',
    '# TYPE a_b gauge\na_b 1\n',
    `${head}a_b 1`,
    `${head}a_b 1\na_b 2\n`,
    `${head}a_c 1\n`,
    `${head}a_b{x="1",x="2"} 1\n`,
    `${head}a_b{x="\\d"} 1\n`,
    `${head}a_b one\n`,
    `${head}${head}`,
    '# HELP a_total Help.\n# TYPE a_total gauge\n',
    '# HELP a_b Help.\n# TYPE a_b counter\n',
    '# HELP a_milliseconds Help.\n# TYPE a_milliseconds gauge\n',
    '# HELP a Help.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum{} 1\na_count{} 1\n',
  ]) {
    assert.throws(() => parseExposition(page), assert.AssertionError, page)
  }
  assert.equal(parseExposition(`${head}a_b{x="1"} +Inf\n`).get('a_b')?.samples.get('a_b{x="1"}'), Infinity)
})
