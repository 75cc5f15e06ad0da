/**
 * Signed statements: JSON as a JSON Web Signature in compact form, with Ed25519. The `typ` of the header keeps a
 * statement of one kind from being taken for one of another kind, or for a token.
 */
import type { KeyObject } from 'node:crypto'
import { CompactSign, compactVerify } from 'jose'
import { parseStrictJson } from '../base/strict-json.ts'
import type { SigningKeys } from './keys.ts'

/** Signs claims with the current signing key. */
export async function signStatement({ current }: SigningKeys, typ: string, claims: object): Promise<string> {
  const { kid, private_key } = current
  if (private_key === undefined) throw new Error('The current signing key can no longer sign.')
  const header = { alg: 'EdDSA', typ, kid }
  return await new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader(header).sign(private_key)
}

/** The claims of a statement that a key has signed; undefined for every defect. They are not validated. */
export async function openStatement(statement: string, typ: string, key: KeyObject): Promise<unknown> {
  try {
    const { payload, protectedHeader } = await compactVerify(statement, key, { algorithms: ['EdDSA'] })
    if (protectedHeader.typ !== typ) return undefined
    const parsed = parseStrictJson(Buffer.from(payload))
    return parsed.ok ? parsed.value : undefined
  } catch {
    return undefined
  }
}
