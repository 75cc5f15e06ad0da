import { amountInput } from '../billing/billing.ts'
import { keyFingerprint } from '../iam/ssh-keys.ts'
import { endpoint } from '../kit/endpoint.ts'
import { tagFilters } from '../kit/named.ts'
import { windowEnd } from '../kit/schedule.ts'
import {
  array,
  boolean,
  cloudInitUserData,
  createdAt,
  creationFilters,
  givenName,
  here,
  id,
  idOrPath,
  integer,
  minute,
  name,
  namePattern,
  newName,
  nullable,
  object,
  ofThis,
  oneOf,
  onlyThis,
  openEnum,
  optional,
  pageOf,
  pageParameters,
  path,
  priceInput,
  readOnlyConstant,
  repeated,
  resource,
  type Static,
  shortListOf,
  tags,
  text,
  timestamp,
} from '../kit/schema.ts'
import { deploymentSummary, imageSummary, poolSummary, skuSummary, workspaceSummary } from '../kit/summaries.ts'
import { type InstanceState, instanceStates } from './instance-states.ts'
import { cloudInitResponse, launchFields, priorityLevel } from './launch-fields.ts'

const area = 'instances'

const states = Object.keys(instanceStates) as InstanceState[]

export const instanceHardware = resource('InstanceHardware', 'What an instance runs on, from the facts of its host.', {
  host: text({ max: 32, description: 'Equal for instances of the account that share a host. It identifies no host.' }),
  accelerators: array(
    resource('InstanceAccelerator', 'One GPU of an instance.', {
      kind: text({ max: 32, description: 'Kind of GPU, such as `h100`.' }),
      pci: text({ max: 16, description: 'The PCI address on its host.' }),
    }),
    { max: 64, description: 'Its GPUs.' },
  ),
  numa: array(integer({ min: 0, max: 1023 }), { max: 16, description: 'The NUMA nodes of its GPUs.' }),
  rdma: optional(
    array(text({ max: 16 }), { max: 64, description: 'The PCI addresses of its InfiniBand adapters on its host.' }),
  ),
  nvswitches: optional(
    array(text({ max: 16 }), {
      max: 16,
      description: 'The PCI addresses of the NVSwitches between its GPUs on its host. Absent: none.',
    }),
  ),
  verified_at: timestamp({ description: 'When its host last reported its hardware, in Unix seconds.' }),
})

export const instanceSshKey = resource('InstanceSshKey', 'An SSH key that the platform gives to an instance.', {
  id: id('ssh_key'),
  name: text({ max: 128, description: 'Name of the key, when the instance was created.' }),
  fingerprint: keyFingerprint,
  state: openEnum(['waiting', 'present', 'removing', 'left'], {
    description:
      '`waiting`: the instance does not have it yet. `present`: it opens the instance. `removing`: it is deleted, ' +
      'and the host removes it. `left`: it is deleted, and still opens the instance, which does not run the QEMU ' +
      'guest agent.',
  }),
})

export const instance = resource(
  'Instance',
  'A virtual machine of a customer, from its creation until its record is removed.',
  {
    object: readOnlyConstant('instance'),
    id: id('instance'),
    resource_path: path('instance'),
    workspace: workspaceSummary,
    name: name(),
    state: openEnum(states, { description: 'Whether it waits, runs or has ended.' }),
    sku: skuSummary,
    image: imageSummary,
    pool: nullable(here(poolSummary, 'The pool whose allocation it uses. `null`: the pool is deleted.')),
    managed_by: optional(deploymentSummary),
    created_at: createdAt,
    _preview_updated_at: timestamp({ description: 'When the record last changed, in Unix seconds.' }),
    cloud_init_user_data_used: boolean({
      description: 'Whether user data was given. A separate operation reads the data.',
    }),
    ssh_keys: optional(
      array(instanceSshKey, {
        max: 64,
        description: 'The SSH keys that the platform puts into it, and deleted ones that it still has. Absent: none.',
      }),
    ),
    subnet: nullable(id('subnet', { description: 'Subnet id. `null`: an isolated subnet of its own.' })),
    private_ip: optional(text({ max: 15, description: 'IPv4 address within the subnet. Absent: it has none.' })),
    _preview_enable_public_ipv4: boolean({
      description: 'Whether it gets a public address. Without a public address only SSH (TCP port 22) reaches it.',
    }),
    _preview_public_ip: optional(
      text({ max: 15, description: 'Public IPv4 address. Absent: it has none, or not yet.' }),
    ),
    _preview_firewall: optional(
      nullable(id('firewall', { description: 'Firewall of the public address. Absent without one.' })),
    ),
    _preview_infiniband_partition: nullable(
      id('infiniband_partition', { description: 'InfiniBand partition id. `null`: none.' }),
    ),
    tags: nullable(tags()),
    priority_level: nullable(priorityLevel()),
    order: optional(id('order', { description: 'Order that `buy` placed at its creation. Absent: there was none.' })),
    hardware: optional(instanceHardware),
  },
)
export type Instance = Static<typeof instance>

const params = { id: idOrPath('instance') }

const createInstanceText = `The instance is \`awaiting_allocation\` at first. It starts as soon as its pool owns a
node of the SKU in the current minute that no instance of higher rank uses, and a host has a free slot. It runs as
long as that holds; before its allocation ends it gets notice (\`instance.termination_imminent\`).

An instance that waits costs nothing beyond the nodes that its pool has bought. \`explain_instance\` says what it
waits for.

With \`buy\`, one node of the SKU is bought for the pool in the same step. The purchase takes current offers for the
whole window. If they do not suffice, nothing is bought and no instance is created.`

const purchase = object(
  {
    start_at: optional(minute({ description: 'First minute to buy, in Unix seconds. Default: the running minute.' })),
    end_at: windowEnd(),
    limit_price_dollars_per_node_hour: priceInput({
      description:
        'Highest price, in dollars per node-hour, such as 18.50. It is set aside until the purchase is made.',
    }),
    max_cost_dollars: optional(amountInput('Most that the purchase may cost, in dollars, such as 55.00.')),
  },
  { description: 'Buy one node of the SKU for the pool at once, for this window. By default nothing is bought.' },
)

export const createInstance = endpoint({
  name: 'create_instance',
  method: 'POST',
  path: '/v2/instances',
  area,
  summary: 'Create an instance',
  description: createInstanceText,
  body: object({
    pool: idOrPath('pool', {
      description: 'Pool whose allocation it uses. The instance belongs to the workspace of the pool.',
    }),
    sku: id('sku'),
    image: idOrPath('image'),
    name: optional(givenName()),
    ...launchFields,
    buy: optional(purchase),
  }),
  response: instance,
  access: 'instance:create',
  conditional_access: [{ permission: 'order:create', when: 'with `buy`' }],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'spends',
  idempotent: true,
  errors: [
    'invalid_base64',
    'invalid_range',
    'not_aligned',
    'payment_required',
    'budget_exceeded',
    'duplicate_entry',
    'forbidden',
    'name_taken',
    'image_not_available',
    'reference_not_found',
    'workspace_mismatch',
    'sku_not_available',
    'pool_kind_not_allowed',
    'limit_exceeded',
    'not_applicable',
    'public_ipv4_not_supported',
    'infiniband_not_supported',
    'fabric_mismatch',
    'region_mismatch',
    'subnet_full',
    'in_the_past',
    'beyond_horizon',
    'not_offered',
  ],
})

export const listInstances = endpoint({
  name: 'list_instances',
  method: 'GET',
  path: '/v2/instances',
  area,
  summary: 'List instances',
  description: 'Newest first. Terminated instances are listed for seven days, or until `delete_instance`.',
  query: {
    ...pageParameters('instc'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    id: repeated(idOrPath('instance', onlyThis)),
    name: optional(
      namePattern({ description: 'Only instances with this name. `*` stands for any characters, as in `web-*`.' }),
    ),
    pool: repeated(idOrPath('pool', ofThis('pool'))),
    sku: repeated(id('sku', ofThis('sku'))),
    image: repeated(idOrPath('image', ofThis('image'))),
    state: repeated(oneOf(states, { description: 'Only instances in this state.' })),
    deployment: optional(idOrPath('deployment', ofThis('deployment'))),
    ...creationFilters,
    ...tagFilters,
  },
  response: pageOf(instance, 'instc'),
  access: 'instance:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const updateInstancePriorities = endpoint({
  name: 'update_instance_priorities',
  method: 'PATCH',
  path: '/v2/instances',
  area,
  summary: 'Set instance priorities',
  description:
    'Sets the priority of up to 100 instances of one workspace, all or none. If entries repeat an instance, the ' +
    'last entry counts. Higher priorities start first and end last, so a change can give notice to one instance ' +
    'and withdraw it from another.',
  body: object({
    data: array(object({ id: idOrPath('instance'), priority_level: nullable(priorityLevel()) }), {
      min: 1,
      max: 100,
      description: 'Instances with their priorities.',
    }),
  }),
  response: shortListOf(instance, 100),
  access: 'instance:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'instance_terminated', 'reference_not_found', 'workspace_mismatch'],
})

export const getInstance = endpoint({
  name: 'get_instance',
  method: 'GET',
  path: '/v2/instances/:id',
  area,
  summary: 'Get an instance',
  description:
    'Shows the state of an instance, its place in the market and its networks. `explain_instance` says why it ' +
    'waits or ends, `get_instance_ssh` how to reach it.',
  params,
  response: instance,
  access: 'instance:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateInstance = endpoint({
  name: 'update_instance',
  method: 'PATCH',
  path: '/v2/instances/:id',
  area,
  summary: 'Change an instance',
  description:
    'Changes the name, the tags, the priority or the firewall of an instance that has not ended; the host applies ' +
    'another firewall at once. Image, SKU, pool and networks stay: use `replace_instance` for another image.',
  params,
  body: object({
    name: optional(newName()),
    tags: optional(nullable(tags())),
    priority_level: optional(nullable(priorityLevel(' `null`: `normal`.'))),
    _preview_firewall: optional(
      idOrPath('firewall', {
        description: 'Firewall of the public address. It takes effect at once. Only with public IPv4.',
      }),
    ),
  }),
  response: instance,
  access: 'instance:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: [
    'forbidden',
    'not_found',
    'instance_terminated',
    'name_taken',
    'not_applicable',
    'reference_not_found',
    'workspace_mismatch',
  ],
})

export const terminateInstance = endpoint({
  name: 'terminate_instance',
  method: 'POST',
  path: '/v2/instances/:id/terminate',
  area,
  summary: 'Terminate an instance',
  description:
    'The instance is terminated when the call returns. Its host stops it and erases its disk within about 20 ' +
    'seconds, and frees the slot then. The allocation stays in the pool, for another instance. The record can be ' +
    'read for seven days; its name is free after that, or after `delete_instance`.',
  params,
  success: 200,
  response: instance,
  access: 'instance:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'instance_terminated'],
})

export const replaceInstance = endpoint({
  name: 'replace_instance',
  method: 'POST',
  path: '/v2/instances/:id/replace',
  area,
  summary: 'Replace an instance',
  description: `Terminates the instance and creates its successor from an image, in one step. The successor
takes over workspace, pool, SKU, subnet, public IPv4, firewall, InfiniBand partition, SSH keys, tags, priority and
\`managed_by\`. The request gives its image and its cloud-init user data. An instance has at most one
successor.

Public images contain neither a password nor an SSH key: without SSH keys of the platform and without cloud-init user
data nobody can log in to an instance of such an image. A custom image without cloud-init must already contain the key.

Emits \`instance.terminated\` for the old one, then \`instance.created\` for the new one.`,
  params,
  body: object({
    image: idOrPath('image'),
    cloud_init_user_data: optional(cloudInitUserData()),
    name: optional(
      name({ description: 'Name of the new instance. Default: a generated one. It differs from that of the old one.' }),
    ),
  }),
  response: instance,
  access: 'instance:write',
  also_access: ['instance:create'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  idempotent: true,
  errors: [
    'invalid_base64',
    'forbidden',
    'not_found',
    'instance_terminated',
    'name_taken',
    'image_not_available',
    'same_name_as_replaced',
  ],
})

export const deleteInstance = endpoint({
  name: 'delete_instance',
  method: 'DELETE',
  path: '/v2/instances/:id',
  area,
  summary: 'Delete an instance record',
  description:
    'Removes the record of a terminated instance and frees its name. An instance that has not ended is refused ' +
    'with `instance_not_terminated`: use `terminate_instance` first.',
  params,
  access: 'instance:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'instance_not_terminated'],
})

export const getInstanceCloudInit = endpoint({
  name: 'get_instance_cloud_init',
  method: 'GET',
  is_reading: false,
  path: '/v2/instances/:id/cloud_init_user_data',
  other_path: '/instances/:id/cloud_init_user_data',
  area,
  summary: 'Get instance user data',
  description:
    'Shows the cloud-init user data of an instance, which may be secret. 404 if it has none, or if the data were ' +
    'erased, 24 hours after the end of the instance. Also at `/instances/{id}/cloud_init_user_data`, with the same ' +
    'responses.',
  params,
  response: cloudInitResponse,
  access: 'secret:read',
  trust: {
    limited: 'any',
    recent_sign_in: 'never',
    trail: 'entry',
    unasked: 'It needs a permission of its own, and each reading is in the audit trail.',
  },
  no_store: true,
  errors: ['forbidden', 'not_found'],
})

export const operations = [
  createInstance,
  listInstances,
  updateInstancePriorities,
  getInstance,
  updateInstance,
  terminateInstance,
  replaceInstance,
  deleteInstance,
  getInstanceCloudInit,
] as const
