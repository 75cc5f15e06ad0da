/** The calls that a fresh sandbox prints: one for each main operation, ready for a shell. */
import { curlOf } from './curl.ts'

/** A command with what it does. */
export type Call = { readonly title: string; readonly command: string }

type World = { readonly url: string; readonly token: string; readonly examples: Readonly<Record<string, string>> }

/** The calls. One whose resource is not there is left out. */
export function sandboxCalls({ url, token, examples }: World): Call[] {
  const { firewall, deployment, instance, image } = examples
  const call = (title: string, method: string, path: string, body?: object): Call => {
    const headers = { authorization: '', ...(body ? { 'content-type': 'application/json' } : {}) }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return { title, command: curlOf(url + path, init, token).replace('curl -sS', 'curl -sS -i') }
  }
  return [
    call('What happened on the account', 'GET', '/preview/v2/events?limit=5'),
    call('What can be bought', 'GET', '/v2/skus'),
    ...(firewall ? [call('Delete a firewall', 'DELETE', `/preview/v2/firewalls/${firewall}`)] : []),
    ...(instance && image ? [call('Replace an instance', 'POST', `/v2/instances/${instance}/replace`, { image })] : []),
    ...(deployment ? [call('Delete a deployment', 'DELETE', `/preview/v2/deployments/${deployment}`)] : []),
  ]
}
