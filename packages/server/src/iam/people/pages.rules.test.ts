import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { pageHeaders, pageHtml } from './pages.rules.ts'

test('texts of others are shown and never interpreted', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`
  const html = pageHtml({
    title: hostile,
    lines: [hostile],
    form: {
      fields: [
        { name: hostile, value: hostile },
        { name: 'code', label: hostile },
      ],
      buttons: { [hostile]: hostile },
    },
  })
  assert.doesNotMatch(html, /<script|<img|onerror='/)
  assert.equal(html.match(/&lt;script&gt;/g)?.length, 8)
})

test('the policy of a page allows its own style and nothing else', () => {
  const html = pageHtml({ title: 'A page', lines: [] })
  const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? ''
  const policy = pageHeaders[pageHeaders.indexOf('Content-Security-Policy') + 1] as string
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(
    policy,
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
})
