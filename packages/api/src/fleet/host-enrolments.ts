import { daySeconds, weekSeconds } from '@bourse/text/time/units.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  createdAt,
  id,
  idOrPath,
  integer,
  object,
  ofThis,
  optional,
  pageOf,
  pageParameters,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { skuSummary, workspaceSummary } from '../kit/summaries.ts'

const area = 'hosts'

const fields = {
  object: constant('host_enrolment'),
  id: id('host_enrolment'),
  workspace: workspaceSummary,
  sku: skuSummary,
  slots: integer({ min: 1, max: 64, description: 'Nodes of the SKU that each host can run.' }),
  uses: integer({ min: 1, max: 1000, description: 'Number of hosts that may enrol with it.' }),
  used: integer({ min: 0, max: 1000, description: 'Number of hosts that have enrolled with it.' }),
  expires_at: timestamp({ description: 'When the permit ends, in Unix seconds.' }),
  created_at: createdAt,
}

export const hostEnrolment = resource('HostEnrolment', 'A permit to enrol hosts, without the secret itself.', fields)
export type HostEnrolment = Static<typeof hostEnrolment>

export const createdHostEnrolment = resource(
  'CreatedHostEnrolment',
  'A new permit, with its secret and the command that uses it.',
  {
    ...fields,
    token: text({ max: 255, pattern: '^bhe_', description: 'The secret. Only this response contains it.' }),
    command: text({
      max: 2048,
      description:
        'Shell command for the host. It downloads the agent from this server, enrols the host and runs the agent.',
    }),
  },
)
export type CreatedHostEnrolment = Static<typeof createdHostEnrolment>

export const createHostEnrolment = endpoint({
  name: 'create_host_enrolment',
  method: 'POST',
  path: '/preview/v2/host_enrolments',
  other_path: '/preview/v2/hosts/enrolments',
  area,
  summary: 'Create a permit',
  description:
    'Lets a number of hosts of one SKU enrol, until it ends. Only this response contains the secret and the command ' +
    'to run on the host. Until the permit ends, all of its uses count against the limit `hosts`; after that, only ' +
    'the hosts that enrolled count.',
  body: object({
    sku: id('sku'),
    workspace: optional(
      idOrPath('workspace', { description: 'Workspace that the hosts belong to. Default: that of the token.' }),
    ),
    slots: optional(integer({ min: 1, max: 64, default: 1, description: 'Nodes of the SKU that each host can run.' })),
    expires_in_seconds: optional(
      integer({
        unit: 'seconds',
        min: 60,
        max: weekSeconds,
        default: daySeconds,
        description: 'How long the permit is valid.',
      }),
    ),
    uses: optional(integer({ min: 1, max: 1000, default: 1, description: 'Number of hosts that may enrol with it.' })),
  }),
  response: createdHostEnrolment,
  access: 'host:create',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  no_store: true,
  secret_fields: ['token', 'command'],
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'reference_not_found',
    'sku_not_available',
    'operator_hosts_only',
    'limit_exceeded',
  ],
})

export const listHostEnrolments = endpoint({
  name: 'list_host_enrolments',
  method: 'GET',
  path: '/preview/v2/host_enrolments',
  other_path: '/preview/v2/hosts/enrolments',
  area,
  summary: 'List permits',
  description: 'Shows the permits that have not ended, newest first, without their secrets.',
  query: { ...pageParameters('henrc'), workspace: optional(idOrPath('workspace', ofThis('workspace'))) },
  response: pageOf(hostEnrolment, 'henrc'),
  access: 'host:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getHostEnrolment = endpoint({
  name: 'get_host_enrolment',
  method: 'GET',
  path: '/preview/v2/host_enrolments/:id',
  other_path: '/preview/v2/hosts/enrolments/:id',
  area,
  summary: 'Get a permit',
  description: 'Shows how many hosts have enrolled with a permit, and when it ends. 404 once it has ended.',
  params: { id: id('host_enrolment') },
  response: hostEnrolment,
  access: 'host:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const deleteHostEnrolment = endpoint({
  name: 'delete_host_enrolment',
  method: 'DELETE',
  path: '/preview/v2/host_enrolments/:id',
  other_path: '/preview/v2/hosts/enrolments/:id',
  area,
  summary: 'End a permit',
  description: 'No further host enrols with it. Hosts that enrolled stay.',
  params: { id: id('host_enrolment') },
  access: 'host:delete',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found'],
})

export const operations = [createHostEnrolment, listHostEnrolments, getHostEnrolment, deleteHostEnrolment] as const
