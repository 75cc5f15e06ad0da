/** The nouns of the client by kinds of resources, where the kind is known only when the command runs. */
import type { IdKind } from '@bourse/api/kit/ids.ts'
import type { Client } from '@bourse/sdk/client.ts'
import type { ListCall } from '@bourse/sdk/page.ts'

/** A row of any list: what commands need to name it. */
export type NamedRow = {
  readonly id: string
  readonly name?: string | null
  readonly alias?: string | null
  readonly state?: string
  readonly resource_path?: string
  readonly workspace?: { readonly name: string } | null
}

/** What the client can do with resources of a kind. */
type ClientNoun = {
  readonly get?: (ref: string) => Promise<unknown>
  readonly list?: (query: { readonly limit: number }) => ListCall<NamedRow>
}

/** The noun of a kind: `client.instanceTemplates`; undefined where the client has none. */
export function nounOf(client: Client, kind: IdKind): ClientNoun | undefined {
  const noun = `${kind.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}s`
  // Each noun has types of its own, and which of them it is depends on text.
  return (client as unknown as Readonly<Record<string, ClientNoun | undefined>>)[noun]
}
