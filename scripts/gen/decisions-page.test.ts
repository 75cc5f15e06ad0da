import assert from 'node:assert/strict'
import { test } from 'vitest'
import { decisionAreas } from './decision-areas.ts'
import { printDecisions } from './decisions-page.ts'

/** Apart from the names, as tidy looks for every document that a file names. */
const ending = '.md'

/** A link to a decision, as heads and the index write it. */
const to = (number: string, text = number) => `[${text}](${number}-x${ending})`
const fileOf = (number: string) => `docs/decisions/${number}-x${ending}`

/** The rows of the index of decisions, which are given by number: titles and heads. */
function rowsOf(decisions: Readonly<Record<string, readonly [title: string, head: string]>>): string[] {
  const texts = Object.entries(decisions).map(
    ([number, [title, head]]) =>
      [fileOf(number), `# ${number}: ${title}\n\n${head}\n\n## Context\nSee ${to('900')}.\n`] as const,
  )
  const [index = ''] = printDecisions(new Map(texts)).values()
  return index.match(/^\| \d{3} .*$/gm) ?? []
}

test('the index of decisions says which one is in force, amended, superseded or merged', () => {
  const rows = rowsOf({
    '901': ['One', '2026-01-01. Area: Market.'],
    '902': ['Two', `2026-01-02, revised 2026-01-03. Where rows stand is changed by ${to('903')}. Area: Market.`],
    '903': [
      'Three',
      `2026-01-04. Adds to ${to('901')}. Contains 888 ("Old", 2025-12-01) and\n889 ("Older", 2025-12-02). Area: Money.`,
    ],
    '904': ['Four', `2026-01-05. Adds to ${to('901')}\nand ${to('903', 'decision 903')}. Area: Money.`],
    '905': ['Five', `2026-01-06. Superseded by ${to('906')}. Area: Access.`],
    '906': ['Six', '2026-01-07. Area: Access.'],
  })
  assert.deepEqual(rows, [
    `| 888 | Old | Money | merged into ${to('903')} | 2025-12-01 |`,
    `| 889 | Older | Money | merged into ${to('903')} | 2025-12-02 |`,
    `| 901 | ${to('901', 'One')} | Market | amended by ${to('903')}, ${to('904')} | 2026-01-01 |`,
    `| 902 | ${to('902', 'Two')} | Market | amended by ${to('903')} | 2026-01-02 |`,
    `| 903 | ${to('903', 'Three')} | Money | amended by ${to('904')} | 2026-01-04 |`,
    `| 904 | ${to('904', 'Four')} | Money | in force | 2026-01-05 |`,
    `| 905 | ${to('905', 'Five')} | Access | superseded by ${to('906')} | 2026-01-06 |`,
    `| 906 | ${to('906', 'Six')} | Access | in force | 2026-01-07 |`,
  ])
})

test('a decision without a heading, a date, a known area or the one that its head names stops the index', () => {
  const bare = new Map([[fileOf('901'), '2026-01-01. Area: Market.\n']])
  assert.throws(() => printDecisions(bare), /901.* has to begin with "# NNN: title"/)
  assert.throws(() => rowsOf({ '901': ['One', 'Area: Market.'] }), /has to have its date/)
  assert.throws(() => rowsOf({ '901': ['One', '2026-01-01'] }), /has to name its area .*Market, Money/)
  assert.throws(() => rowsOf({ '901': ['One', '2026-01-01. Area: Weather.'] }), /has to name its area/)
  const gone = `2026-01-01. Area: Market. Changed by ${to('902')}.`
  assert.throws(() => rowsOf({ '901': ['One', gone] }), /links to decision 902, which is not there/)
})

test('no decision stands in two areas', () => {
  const numbers = Object.values(decisionAreas).flat()
  assert.equal(new Set(numbers).size, numbers.length)
})
