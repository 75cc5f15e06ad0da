import assert from 'node:assert/strict'
import { test } from 'vitest'
import { renderMarkdown } from './markdown.ts'

function render(text: string, targets: Record<string, string> = {}) {
  return renderMarkdown(text, { resolve: (written) => targets[written], linkCode: (code) => targets[code] })
}

test('a document has a title, a lead, and the anchors that GitHub makes', () => {
  const { title, lead, sections, html } = render(
    '# The market\n\nOne *book*\na SKU.\n\n## Fees & `holds`\n\ntext\n\n## Fees & holds\n',
  )
  assert.deepEqual([title, lead], ['The market', 'One book a SKU.'])
  const anchors = sections.map(({ heading }) => heading.anchor)
  assert.deepEqual(anchors, ['the-market', 'fees--holds', 'fees--holds-1'])
  for (const anchor of anchors) assert.ok(html.includes(` id="${anchor}">`), anchor)
  assert.deepEqual(
    sections.map(({ text }) => text),
    ['One book a SKU.', 'text', ''],
  )
})

test('the text of a section has its lists, tables and code', () => {
  const { sections } = render('# A\n\n- one\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n```sh\nbourse start\n```\n')
  assert.equal(sections[0]?.text, 'one\ntwo\na\nb\nc\nd\nbourse start')
})

test('HTML of a document is shown as text, and a link never runs code', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '![x](http://a/b)',
  ]
  for (const attack of attacks) {
    const { html } = renderMarkdown(`# A\n\n${attack}\n`, { resolve: (written) => written, linkCode: () => undefined })
    assert.doesNotMatch(html, /<(script|img)|href="javascript/, attack)
  }
  assert.match(render('# A <b>\n').html, /A &lt;b&gt;/)
})

test('a comment of a line is left out, also in a list and below text, and not in code', () => {
  const comment = '<!-- Not typed: why. -->'
  const { html, sections } = render(
    `# A\n\n${comment}\n\`\`\`sh\nls\n\`\`\`\n\n1. One\n   ${comment}\n   two\n\n\`\`\`md\n${comment}\n\`\`\`\n`,
  )
  assert.equal(html.match(/Not typed/g)?.length, 1)
  assert.deepEqual(sections[0]?.text, `ls\nOne\ntwo\n${comment}`)
  assert.match(html, /<pre><code class="language-md">&lt;!-- Not typed: why\. --&gt;/)
  assert.match(render(`# A\n\n${comment} <b>\n`).html, /&lt;b&gt;/)
})

test('a link leads to the resolved address, and one to nowhere is text', () => {
  const { html } = render('# A\n\n[there](there), [**nowhere**](nowhere), `GET /x`, [`GET /x`](there)\n', {
    there: '/docs/b',
    'GET /x': '/docs#x',
  })
  const text = '<a href="/docs/b">there</a>, <strong>nowhere</strong>, <a href="/docs#x"><code>GET /x</code></a>'
  assert.ok(html.includes(`${text}, <a href="/docs/b"><code>GET /x</code></a>`), html)
})
