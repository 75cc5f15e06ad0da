import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../core/base/random.ts'
import { drawRecoveryCode, readRecoveryCode, recoveryCodeText } from './recovery-codes.rules.ts'

test('a recovery code is read as it is shown, in any case, with any separators and mistaken letters', () => {
  const random = createSeededRandom(1)
  for (let n = 0; n < 200; n++) {
    const code = drawRecoveryCode((below) => random.integer(below))
    const text = recoveryCodeText(code)
    assert.match(text, /^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){4}$/)
    const mistaken = text.replaceAll('0', 'o').replaceAll('1', 'l')
    for (const typed of [text, text.toLowerCase(), text.replaceAll('-', ' '), ` ${text}\n`, mistaken]) {
      assert.deepEqual(readRecoveryCode(typed), code)
    }
  }
  for (const wrong of ['', 'AAAAA', 'U'.repeat(25), 'A'.repeat(26), `${' '.repeat(64)}${'A'.repeat(25)}`]) {
    assert.equal(readRecoveryCode(wrong), undefined, wrong)
  }
})
