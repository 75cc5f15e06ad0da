/** Finds secrets in texts, in all usual encodings of their bytes. */
import pg from 'pg'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'

/** A secret, by a name that may be printed, with all encodings of its bytes. */
export type TracedSecret = { readonly name: string; readonly spellings: readonly string[] }

/** A text to search, and its name. */
export type SearchedText = { readonly name: string; readonly text: string }

/** A secret of at least twelve bytes, so that no other text contains them by chance. */
export function secretOf(name: string, bytes: Buffer): TracedSecret {
  if (bytes.length < 12) throw new Error(`${name} is too short to be unique.`)
  const hex = bytes.toString('hex')
  const encoded = [0, 1, 2].flatMap((offset) => {
    // The letters at both ends depend on the bytes next to the secret.
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64url')
      .slice(offset + (offset > 0 ? 1 : 0), -1)
    return [text, text.replaceAll('-', '+').replaceAll('_', '/')]
  })
  const plain = bytes.toString('latin1')
  return { name, spellings: [...new Set([plain, hex, hex.toUpperCase(), ...encoded])] }
}

/** The places of secrets, as `secret in place`. */
export function findTraces(secrets: readonly TracedSecret[], places: readonly SearchedText[]): string[] {
  return places.flatMap(({ name, text }) =>
    secrets
      .filter(({ spellings }) => spellings.some((spelling) => text.includes(spelling)))
      .map((secret) => `${secret.name} in ${name}`),
  )
}

/** Every row of every table, read as the owner. */
export async function dumpTables(target: DatabaseTarget): Promise<SearchedText[]> {
  const client = new pg.Client({ ...target })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    const places: SearchedText[] = []
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ text: string }>(`select t::text as text from ${name} t`)
      places.push({ name, text: found.map(({ text }) => text).join('\n') })
    }
    return places
  } finally {
    await client.end()
  }
}
