import { host } from '../fleet/hosts.ts'
import { image } from '../images/images.ts'
import { endpoint } from '../kit/endpoint.ts'
import { accountId, boolean, id, integer, name, object, optional, ownWorkspace, shortListOf } from '../kit/schema.ts'

const onSandbox = { area: 'sandbox', access: 'open', scope: 'account' } as const

export const createSimulatedHosts = endpoint({
  ...onSandbox,
  name: 'create_simulated_hosts',
  method: 'POST',
  path: '/sandbox/hosts',
  summary: 'Add simulated hosts',
  description:
    'The hosts are ready at once, and their nodes go to the supply pool of their account from the next minute on. ' +
    'They follow the clock of the sandbox.',
  body: object({
    account: optional(accountId({ description: 'Account that gets the hosts: its id. Default: your own.' })),
    sku: id('sku'),
    count: integer({ min: 1, max: 1000, description: 'Number of hosts.' }),
    slots: optional(integer({ min: 1, max: 64, default: 1, description: 'Nodes that each host can run.' })),
  }),
  response: shortListOf(host, 1000),
  errors: ['forbidden', 'reference_not_found', 'sku_not_available', 'operator_hosts_only'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const createReadyImage = endpoint({
  ...onSandbox,
  name: 'create_ready_image',
  method: 'POST',
  path: '/sandbox/images',
  summary: 'Add a ready image',
  description:
    'Adds an image that is completed without an upload. Its digest and size are made up, so only simulated hosts ' +
    'can start it.',
  body: object({
    name: name({ description: 'Name of the image.' }),
    workspace: optional(ownWorkspace()),
    is_public: optional(
      boolean({
        default: false,
        description: 'Let every account use it. Only in the workspace `public` of the platform account.',
        negative: 'Keep it for the workspace. This is the default.',
      }),
    ),
  }),
  response: image,
  errors: ['forbidden', 'name_taken', 'reference_not_found', 'not_applicable', 'limit_exceeded'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const operations = [createSimulatedHosts, createReadyImage] as const
