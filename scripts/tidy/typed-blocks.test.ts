import assert from 'node:assert/strict'
import { test } from 'vitest'
import { check } from './snippets.ts'
import { marksAreNeeded, shellBlocksAreTyped } from './typed-blocks.ts'

const guide = 'docs/guides/trading.md'
const missing = 'no test types this block: let one do it, or write `<!-- Not typed: why. -->` in the line above it'
const block = (language = 'sh', command = 'bourse skus list') => [`\`\`\`${language}`, command, '```']
const page = (...lines: readonly (string | readonly string[])[]) => lines.flat().join('\n')
const run = (files: Readonly<Record<string, string>>) => check([shellBlocksAreTyped], files)

test('a shell block that no test types is reported, whatever its language is called', () => {
  for (const language of ['sh', 'bash', 'shell', 'console']) {
    assert.deepEqual(run({ [guide]: page('# A', block(language)) }), [`${guide}:2 ${missing}`])
  }
  assert.deepEqual(run({ 'README.md': page('# A', '1. One', '   ```sh', '   ls', '   ```') }), [
    `README.md:3 ${missing}`,
  ])
  const others = { [guide]: page('# A', block('ts'), block('')), 'docs/concepts/market.md': page('# A', block()) }
  assert.deepEqual(run(others), [])
})

test('a test types the blocks below a heading that it names, down to the next heading of this level', () => {
  const text = page('# A', block(), '## B', block(), '### C', block(), '## D', block('sh', '## B'), '# E', block())
  const below = (heading: string) => ({
    [guide]: text,
    'packages/cli/test/a.test.ts': `const blocks = shownBlocks('${guide}', '${heading}')`,
  })
  const lines = (heading: string) => run(below(heading)).map((found) => found.split(' ')[0]?.split(':')[1])
  assert.deepEqual(lines('## B'), ['2', '14', '18'])
  assert.deepEqual(lines('# A'), ['18'])
  assert.deepEqual(lines('## F'), ['2', '6', '10', '14', '18'])
})

test('a session is typed where a test follows those of its page, and commands are not', () => {
  const files = {
    'README.md': page('# A', block('console'), block()),
    'packages/cli/test/a.test.ts': "await followSession(reader, 'README.md')\nconst part = ['README.md', '# B', 2]",
  }
  assert.deepEqual(run(files), [`README.md:5 ${missing}`])
})

test('only tests type: another file that names a part does not count', () => {
  const files = {
    [guide]: page('# A', block()),
    'packages/cli/src/a.ts': `shownBlocks('${guide}', '# A')`,
  }
  assert.deepEqual(run(files), [`${guide}:2 ${missing}`])
})

test('a comment directly above a block says why no test types it, and has to have a reason and a block', () => {
  const marked = page('# A', '<!-- Not typed: it needs a GPU. -->', block())
  assert.deepEqual(run({ [guide]: marked }), [])
  assert.deepEqual(run({ [guide]: page('# A', '<!-- Not typed: -->', block()) }), [`${guide}:3 ${missing}`])
  const apart = page('# A', '<!-- Not typed: it needs a GPU. -->', '', block())
  assert.deepEqual(check([shellBlocksAreTyped, marksAreNeeded], { [guide]: apart }), [
    `${guide}:4 ${missing}`,
    `${guide}:2 no shell block follows in the next line: remove the comment`,
  ])
})
