/** The defaults from the environment. Browsers have none. */

type HostEnvironment = { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } }

/** The default address and token of a client: `BOURSE_BASE_URL` and `BOURSE_API_TOKEN`. */
export function environmentDefaults(): { baseUrl: string | undefined; token: string | undefined } {
  const variables = (globalThis as HostEnvironment).process?.env ?? {}
  return { baseUrl: variables.BOURSE_BASE_URL || undefined, token: variables.BOURSE_API_TOKEN || undefined }
}
