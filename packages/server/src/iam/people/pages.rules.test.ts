import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type HtmlPage, pageHeaders, pageHtml } from './pages.rules.ts'

test('texts of others are shown and never interpreted', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`
  const form = {
    fields: [
      { name: hostile, value: hostile },
      { name: 'code', label: hostile },
    ],
    buttons: { [hostile]: hostile },
    action: hostile,
    line: hostile,
    id: hostile,
  }
  const part = {
    title: hostile,
    lines: [hostile],
    code: [hostile],
    links: [{ href: hostile, label: hostile }],
    id: hostile,
  }
  const page: HtmlPage = { title: hostile, lines: [hostile], form, parts: [{ ...part, forms: [form] }], base: hostile }
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

const fullPage: HtmlPage = {
  title: 'Sign in',
  lines: ['One.', 'Two.'],
  form: { fields: [{ name: 'email', label: 'E-mail', length: 200, kind: 'text' }], buttons: { yes: 'Go on' } },
  parts: [
    {
      id: 'codes',
      title: 'Codes',
      lines: ['Keep them.'],
      code: ['A1', 'B2'],
      links: [
        { href: '/a', label: 'A' },
        { href: '/b', label: 'B' },
      ],
      is_hidden: true,
      forms: [
        {
          fields: [
            { name: 'code', label: 'Code' },
            { name: 'state', value: '<s>' },
          ],
          buttons: { ok: 'Use', no: 'Leave' },
          action: '/use',
          id: 'use',
          line: 'Or:',
          is_plain: true,
        },
      ],
    },
    {},
  ],
  base: '/at',
  next: '/then',
  script: { return_to: '/console', is_step_up: true },
}
const scriptData = 'data-base="/at" data-return-to="/console" data-step-up="true"'
const codeInput = 'class="code" autocapitalize="characters" spellcheck="false"'
const fullHtml = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=/then">
<link rel="stylesheet" href="/at/sign_in/style.css">
<script src="/at/sign_in/passkeys.js" defer ${scriptData}></script></head>
<body><main><p class="brand">Bourse</p><h1>Sign in</h1>
<p>One.</p>
<p>Two.</p>
<form method="post" autocomplete="off">
<label>E-mail <input name="email" required maxlength="200"></label>
<button name="answer" value="yes">Go on</button>
</form>
<section id="codes" hidden>
<h2>Codes</h2>
<p>Keep them.</p>
<ul class="codes">
<li><code>A1</code></li>
<li><code>B2</code></li>
</ul>
<p><a href="/a">A</a></p>
<p><a href="/b">B</a></p><form method="post" autocomplete="off" action="/use" id="use" class="plain">
<span class="line">Or:</span>
<label>Code <input name="code" required maxlength="32" ${codeInput}></label>
<input type="hidden" name="state" value="&lt;s&gt;">
<button name="answer" value="ok">Use</button>
<button name="answer" value="no">Leave</button>
</form>
</section>
<section>

</section>
</main></body>
</html>
`
const shortHtml = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Done</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="stylesheet" href="/sign_in/style.css"></head>
<body><main><p class="brand">Bourse</p><h1>Done</h1>

</main></body>
</html>
`

test('a page has what it is given, each part once and in order', () => {
  assert.equal(pageHtml(fullPage), fullHtml)
  assert.equal(pageHtml({ title: 'Done', lines: [] }), shortHtml)
})

test('no page is shown in a frame, kept, or told to other sites', () => {
  assert.deepEqual(pageHeaders().slice(2), [
    'X-Frame-Options',
    'DENY',
    'Referrer-Policy',
    'same-origin',
    'Cross-Origin-Opener-Policy',
    'same-origin',
    'Cache-Control',
    'no-store',
  ])
})
