import assert from 'node:assert/strict'
import { test } from 'vitest'
import { outline } from '../../packages/cli/src/generated/outline.ts'
import { printManPages, roffOf } from './man-pages.ts'

test('every command has a manual page with its flags and examples', async () => {
  const pages = await printManPages('1.2.3')
  assert.deepEqual(
    [...pages.keys()].toSorted(),
    ['bourse.1', ...outline.map(([name]) => `bourse-${name}.1`)].toSorted(),
  )
  for (const [name, text] of pages) {
    assert.match(text, /^\.TH BOURSE\S* 1 "" "bourse 1\.2\.3"\n\.SH NAME\nbourse\S* \\- \S/, name)
    // A line that begins with a dot is a request of roff; text never makes one.
    const requests = text.split('\n').filter((line) => line.startsWith('.') || line.startsWith("'"))
    for (const line of requests) assert.match(line, /^\.(TH|SH|PP|TP|B|nf|fi)( |$)/, `${name}: ${line}`)
    assert.match(text, /^[\x20-\x7e\n]*$/, name)
  }
  assert.match(
    pages.get('bourse-orders.1') ?? '',
    /\.SH "bourse orders buy"[\s\S]*\\-\\-nodes <number>[\s\S]*\$ bourse orders buy/,
  )
  assert.match(pages.get('bourse.1') ?? '', /\.B bourse ssh[\s\S]*BOURSE_API_TOKEN[\s\S]*Exit codes/)
})

test('text has no meaning for roff', () => {
  assert.equal(roffOf('.SH a\n\'b\\fB -x "…"'), "\\&.SH a\n\\&'b\\efB \\-x \\(dq\\[u2026]\\(dq")
})
