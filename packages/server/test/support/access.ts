/** Tokens with exactly the rights that a test needs, made over HTTP as the admin of an account, and their end. */
import { eventually } from '../../../../test/eventually.ts'
import type { CallBody } from './calls.ts'
import type { TestAccount, TestServer } from './server.ts'

type GrantedActions = Record<string, readonly string[]>
type GrantedToken = { id: string; token: string }

let made = 0

/** Creates a role of the account and returns its id. */
export async function makeRole(server: TestServer, account: TestAccount, actions: GrantedActions): Promise<string> {
  made += 1
  const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] } as CallBody<'create_role'>['policy']
  const body = { name: `role-${made}`, policy } as const
  return (await server.call('create_role', { token: account.token, body })).id
}

/** Creates a token with exactly these rights in one workspace, which is the workspace of the token. */
export async function makeToken(
  server: TestServer,
  account: TestAccount,
  actions: GrantedActions,
  workspace = account.workspace_id,
): Promise<GrantedToken> {
  const roles = [await makeRole(server, account, actions)]
  const made = await server.call('create_token', { token: account.token, body: { workspace, roles } })
  return { id: made.id, token: made.token }
}

/** Creates a token with these rights in the whole account, and almost no others. */
export async function makeAccountToken(
  server: TestServer,
  account: TestAccount,
  actions: GrantedActions,
): Promise<GrantedToken> {
  const token = await makeToken(server, account, { secret: ['read'] })
  const role = await makeRole(server, account, actions)
  const body = { principal_type: 'token', principal_id: token.id, role } as const
  await server.call('create_grant', { token: account.token, body })
  return token
}

/** The code of a refusal: that of the first detail, or the error type if there are no details. */
export function codeOf(response: { body: any }): string {
  return response.body?.error?.details?.[0]?.code ?? response.body?.error?.type
}

/** The platform account. The default token of the server is its admin. */
export async function platformAccount(server: TestServer): Promise<TestAccount> {
  const { id, workspace } = await server.call('get_account')
  return { id, token: server.platform_token, workspace_id: workspace.id }
}

/** Repeats a request until its status is not 200, as replicas learn of an end within a second. */
export async function whenRefused<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  const { response } = await eventually('the request is refused', async () => {
    const response = await ask()
    return response.status !== 200 && { response }
  })
  return response
}
