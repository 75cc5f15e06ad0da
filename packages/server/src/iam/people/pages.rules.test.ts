import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Page, pageHeaders, pageHtml } from './pages.rules.ts'

test('texts of others are shown and never interpreted', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`
  const form = {
    fields: [
      { name: hostile, value: hostile },
      { name: 'code', label: hostile },
    ],
    ...{ buttons: { [hostile]: hostile }, action: hostile, line: hostile, id: hostile },
  }
  const part = {
    title: hostile,
    lines: [hostile],
    code: [hostile],
    links: [{ href: hostile, label: hostile }],
    id: hostile,
  }
  const page: Page = { title: hostile, lines: [hostile], form, parts: [{ ...part, forms: [form] }], base: hostile }
  const html = pageHtml({ ...page, next: hostile, script: { return_to: hostile, is_step_up: false } })
  assert.doesNotMatch(html, /<script>|<img|onerror='/)
  assert.equal(html.match(/&lt;script&gt;/g)?.length, 30)
})

test('the policy of a page allows its own style and nothing else, and a script only where it has one', () => {
  const policyOf = (headers: readonly string[]) => headers[headers.indexOf('Content-Security-Policy') + 1]
  const rest = "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  assert.equal(policyOf(pageHeaders()), `default-src 'none'; style-src 'self'; ${rest}`)
  const script = { return_to: '/', is_step_up: false }
  assert.equal(
    policyOf(pageHeaders({ script })),
    `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; ${rest}`,
  )
  const html = pageHtml({ title: 'A page', lines: [], script })
  assert.doesNotMatch(html, /<style|style=|<script>| on[a-z]+=/)
})
