/** What the surroundings say, where there is an environment at all: browsers have none. */

type Host = { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } }

/** Address and token of a client that was given none: `BOURSE_BASE_URL` and `BOURSE_API_TOKEN`. */
export function environmentDefaults(): { baseUrl: string | undefined; token: string | undefined } {
  const variables = (globalThis as Host).process?.env ?? {}
  return { baseUrl: variables.BOURSE_BASE_URL || undefined, token: variables.BOURSE_API_TOKEN || undefined }
}
