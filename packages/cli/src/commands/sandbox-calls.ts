/** The example calls that a sandbox prints: one for each main operation, ready for a shell. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { createClient } from '@bourse/sdk/client.ts'
import { curlOf } from '../output/curl.ts'

/** A command and its description. */
export type SandboxCall = { readonly title: string; readonly command: string }

type SandboxExamples = Readonly<Record<string, string>>
type World = { readonly url: string; readonly token: string; readonly examples: SandboxExamples }

/** Returns the calls, without those whose resource no longer exists in a sandbox that was started before. */
export async function sandboxCalls({ url, token, examples }: World): Promise<SandboxCall[]> {
  const { firewall, deployment, instance, image } = await stillThere({ url, token, examples })
  const call = (title: string, method: string, path: string, body?: object): SandboxCall => {
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

/** Finds resources for the examples that are neither deleted nor ended. */
async function stillThere({ url: baseUrl, token, examples }: World): Promise<SandboxExamples> {
  const { firewalls, deployments, instances, images } = createClient({ baseUrl, token })
  const looks: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    firewall: (id) => firewalls.get(id as Id<'firewall'>),
    deployment: (id) => deployments.get(id as Id<'deployment'>),
    instance: async (id) => {
      const { state } = await instances.get(id as Id<'instance'>)
      if (state === 'terminated') throw new Error('It has ended.')
    },
    image: (id) => images.get(id as Id<'image'>),
  }
  const found = await Promise.all(
    Object.entries(examples).map(async ([name, id]) => {
      const isThere = await looks[name]?.(id).then(
        () => true,
        () => false,
      )
      return isThere ? [[name, id] as const] : []
    }),
  )
  return Object.fromEntries(found.flat())
}
