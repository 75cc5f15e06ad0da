import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  createdAt,
  dollars,
  givenName,
  id,
  idOrPath,
  integer,
  name,
  nameTemplate,
  newName,
  object,
  ofThis,
  oneOf,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  path,
  priceInput,
  repeated,
  resource,
  type Static,
  text,
  updatedAt,
} from '../kit/schema.ts'
import {
  automationStatus,
  deploymentObject,
  instanceTemplateSummary,
  poolSummary,
  skuSummary,
  workspaceSummary,
} from '../kit/summaries.ts'

const area = 'deployments'

/** The kinds of deployment: a generic one never buys, a spot one buys the nodes of its instances. */
export const deploymentKinds = ['generic', 'spot'] as const
/** The kind of a deployment. */
export type DeploymentKind = (typeof deploymentKinds)[number]

/** The activity of a deployment, or the reason why it cannot work. */
export const deploymentStatusCodes = {
  ok: 'info',
  waiting_for_allocation: 'info',
  no_offer_at_price: 'warning',
  payment_required: 'error',
  budget_exhausted: 'error',
  limit_exceeded: 'error',
  image_not_available: 'error',
  sku_not_available: 'error',
} as const
/** A code of the status of a deployment. */
export type DeploymentStatusCode = keyof typeof deploymentStatusCodes

const targetCount = integer({ min: 0, max: 10_000, description: 'How many instances it keeps.' })
const template = idOrPath('instance_template', { description: 'Template of its instances.' })
const namesText =
  'Pattern of the names of its instances, such as `web-{{adjective}}-{{noun}}`. Variables: `{{adjective}}`, ' +
  '`{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21.'
const works = {
  description: 'Keep its instances at the target.',
  negative: 'Pause: create, end and buy nothing. What runs stays.',
}
const maxBuyPrice = priceInput({
  description: 'Most that it pays, in dollars per node-hour, such as 20.00. Spot deployments only.',
})

export const deployment = resource(
  'Deployment',
  'An automation that keeps a fleet of instances. Generic and spot ones share ids and paths.',
  {
    object: deploymentObject,
    id: id('deployment'),
    resource_path: path('deployment'),
    workspace: workspaceSummary,
    name: name(),
    pool: poolSummary,
    sku: skuSummary,
    instance_template: instanceTemplateSummary,
    enabled: boolean({
      description: 'Whether it is enabled. While false nothing is created, ended or bought; running instances stay.',
    }),
    target_instance_count: targetCount,
    live_instance_count: integer({ min: 0, description: 'Instances that are not terminated.' }),
    instance_name_template: text({ min: 1, max: 512, description: 'Pattern of the names of its instances.' }),
    max_buy_price_dollars_per_node_hour: optional(
      dollars({ description: 'Most that it pays. Spot deployments only.' }),
    ),
    status: automationStatus,
    created_at: createdAt,
    updated_at: updatedAt,
  },
)
export type Deployment = Static<typeof deployment>

/** The settings of a new deployment. */
export const deploymentBody = object({
  kind: optional(
    oneOf(deploymentKinds, {
      description: '`generic`: it uses what its pool has. `spot`: it also buys nodes. Default `generic`.',
    }),
  ),
  name: optional(givenName()),
  pool: idOrPath('pool', {
    description: 'Pool whose allocation its instances use. A market pool, or for a generic one a read-only pool.',
  }),
  sku: id('sku'),
  instance_template: template,
  target_instance_count: targetCount,
  instance_name_template: optional(nameTemplate({ description: namesText })),
  enabled: optional(boolean({ default: true, ...works })),
  max_buy_price_dollars_per_node_hour: optional(maxBuyPrice),
})

/** A change of a deployment. */
export const deploymentChange = object({
  name: optional(newName()),
  instance_template: optional(template),
  enabled: optional(boolean(works)),
  target_instance_count: optional(targetCount),
  instance_name_template: optional(nameTemplate({ description: namesText })),
  max_buy_price_dollars_per_node_hour: optional(maxBuyPrice),
})

const params = { id: idOrPath('deployment') }

export const createDeployment = endpoint({
  name: 'create_deployment',
  method: 'POST',
  path: '/preview/v2/deployments',
  area,
  summary: 'Create a deployment',
  description:
    'Starts a number of instances from a template, and replaces instances that end. A spot deployment also buys the ' +
    'nodes that they run on, an hour ahead, up to a maximum price. No other automation may work on its pool and SKU. ' +
    '`create_deployment_estimate` shows the cost beforehand.',
  body: deploymentBody,
  response: deployment,
  access: 'deployment:create',
  also_access: ['instance:create'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'spends',
  conditional_access: [{ permission: 'order:create', when: 'for a spot deployment' }],
  idempotent: true,
  errors: [
    'not_aligned',
    'forbidden',
    'name_taken',
    'automation_conflict',
    'reference_not_found',
    'workspace_mismatch',
    'not_applicable',
    'sku_not_available',
    'image_not_available',
    'pool_kind_not_allowed',
    'limit_exceeded',
    'public_ipv4_not_supported',
    'infiniband_not_supported',
    'fabric_mismatch',
    'region_mismatch',
  ],
})

export const listDeployments = endpoint({
  name: 'list_deployments',
  method: 'GET',
  path: '/preview/v2/deployments',
  area,
  summary: 'List deployments',
  description: 'Newest first, disabled ones too, each with its status. Deleted deployments are left out.',
  query: {
    ...pageParameters('deplc'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    pool: optional(idOrPath('pool', ofThis('pool'))),
    id: repeated(idOrPath('deployment', onlyThis)),
    kind: optional(oneOf(deploymentKinds, { description: 'Only deployments of this kind.' })),
  },
  response: pageOf(deployment, 'deplc'),
  access: 'deployment:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getDeployment = endpoint({
  name: 'get_deployment',
  method: 'GET',
  path: '/preview/v2/deployments/:id',
  area,
  summary: 'Get a deployment',
  description: 'Shows target, living instances and status of a deployment; the status says what it waits for.',
  params,
  response: deployment,
  access: 'deployment:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateDeployment = endpoint({
  name: 'update_deployment',
  method: 'PATCH',
  path: '/preview/v2/deployments/:id',
  area,
  summary: 'Change a deployment',
  description:
    'Its instances follow a new target, and enabling. A new template counts only for instances created from then on. ' +
    'Disabling starts and ends no instance, and cancels the open orders of a spot deployment. At a new maximum price ' +
    'its orders are placed anew.',
  params,
  body: deploymentChange,
  response: deployment,
  access: 'deployment:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'spends',
  conditional_access: [
    { permission: 'instance:create', when: 'to raise the target, enable the deployment or change its template' },
    { permission: 'order:create', when: 'to raise the target or the price of a spot deployment, or to enable it' },
  ],
  errors: [
    'not_aligned',
    'forbidden',
    'not_found',
    'name_taken',
    'reference_not_found',
    'workspace_mismatch',
    'not_applicable',
    'sku_not_available',
    'image_not_available',
    'public_ipv4_not_supported',
    'infiniband_not_supported',
    'fabric_mismatch',
    'region_mismatch',
  ],
})

export const deleteDeployment = endpoint({
  name: 'delete_deployment',
  method: 'DELETE',
  path: '/preview/v2/deployments/:id',
  area,
  summary: 'Delete a deployment',
  description:
    'Terminates its instances in the same step, and cancels the open orders of a spot deployment. Nodes that it ' +
    'bought stay in the pool. The call is never refused because of living instances, and never rate limited.',
  params,
  access: 'deployment:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  rate: 'none',
  errors: ['forbidden', 'not_found'],
})

export const operations = [
  createDeployment,
  listDeployments,
  getDeployment,
  updateDeployment,
  deleteDeployment,
] as const
