/** Recovery codes: 25 letters and digits, of which the first eight find the code and the others are its secret. */

// Crockford's base 32: no I, L, O and U. 40 bits find, 85 bits are secret.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const idLength = 8
const codeLength = 25
const groupLength = 5

/** The two parts of a code. */
type RecoveryCode = { readonly id: string; readonly secret: string }

/** Draws a code. `draw` gives a random whole number from 0 up to, but not including, its argument. */
export function drawRecoveryCode(draw: (below: number) => number): RecoveryCode {
  const text = Array.from({ length: codeLength }, () => alphabet[draw(alphabet.length)]).join('')
  return { id: text.slice(0, idLength), secret: text.slice(idLength) }
}

/** A code as a person sees it, in five groups. */
export function recoveryCodeText({ id, secret }: RecoveryCode): string {
  return ((id + secret).match(new RegExp(`.{${groupLength}}`, 'g')) as string[]).join('-')
}

/** Reads what a person typed, in any case and with any separators; undefined if it cannot be a code. */
export function readRecoveryCode(typed: string): RecoveryCode | undefined {
  const text = typed.slice(0, 64).toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (!new RegExp(`^[${alphabet}]{${codeLength}}$`).test(text)) return undefined
  return { id: text.slice(0, idLength), secret: text.slice(idLength) }
}
