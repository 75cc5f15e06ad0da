import assert from 'node:assert/strict'
import { test } from 'vitest'
import { greetingOf } from './sign-in-page.rules.ts'

test('a visitor is a stranger, signed in, or asked to sign in again, and a stranger is never asked again', () => {
  const kinds = [undefined, 'ada of the account acme'].flatMap((who) =>
    [false, true].map((isStepUp) => greetingOf(who, isStepUp).kind),
  )
  assert.deepEqual(kinds, ['stranger', 'stranger', 'signed_in', 'step_up'])
})

test('a page says who is signed in, and why they sign in again', () => {
  const { lines } = greetingOf('ada of the account acme', true)
  assert.match(lines.join(' '), /^You are ada of the account acme\. .* last 15 minutes\.$/)
  assert.deepEqual(greetingOf('ada', false).lines, ['You are ada.'])
})
