import { endpoint } from '../kit/endpoint.ts'
import { namedFilters } from '../kit/named.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  givenName,
  id,
  idOrPath,
  name,
  nullable,
  object,
  ofThis,
  optional,
  ownWorkspace,
  pageOf,
  path,
  repeated,
  resource,
  type Static,
  tags,
} from '../kit/schema.ts'
import { imageSummary, workspaceSummary } from '../kit/summaries.ts'
import { cloudInitResponse, instanceSshKeysMax, launchFields, priorityLevel } from './launch-fields.ts'

const area = 'instance templates'

export const instanceTemplate = resource(
  'InstanceTemplate',
  'The settings that a deployment starts its instances with. Templates are immutable: create a new one instead.',
  {
    object: constant('instance_template'),
    id: id('instance_template'),
    resource_path: path('instance_template'),
    workspace: workspaceSummary,
    name: name(),
    image: imageSummary,
    cloud_init_user_data_used: boolean({
      description: 'Whether it has user data. A separate operation reads the data.',
    }),
    ssh_keys: array(id('ssh_key'), {
      max: instanceSshKeysMax,
      description: 'SSH keys of its instances, as they were named. Instances get the keys that still exist.',
    }),
    tags: nullable(tags()),
    priority_level: priorityLevel(),
    _preview_enable_public_ipv4: boolean({ description: 'Whether instances get a public address.' }),
    _preview_firewall: nullable(
      id('firewall', { description: 'Firewall of the public address. `null`: the default firewall of the workspace.' }),
    ),
    subnet: nullable(id('subnet', { description: 'Subnet id. `null`: an isolated subnet for each instance.' })),
    _preview_infiniband_partition: nullable(
      id('infiniband_partition', { description: 'InfiniBand partition id. `null`: none.' }),
    ),
    created_at: createdAt,
  },
)
export type InstanceTemplate = Static<typeof instanceTemplate>

const params = { id: idOrPath('instance_template') }

export const createInstanceTemplate = endpoint({
  name: 'create_instance_template',
  method: 'POST',
  path: '/preview/v2/instance_templates',
  area,
  summary: 'Create an instance template',
  description:
    'Creates a template from which `create_deployment` starts instances: image, SSH keys, user data and networks. ' +
    'A template does not change; create another one and set it with `update_deployment`.',
  body: object({
    name: optional(givenName()),
    workspace: optional(ownWorkspace()),
    image: idOrPath('image'),
    ...launchFields,
  }),
  response: instanceTemplate,
  access: 'instance_template:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  idempotent: true,
  errors: [
    'invalid_base64',
    'duplicate_entry',
    'forbidden',
    'name_taken',
    'image_not_available',
    'reference_not_found',
    'workspace_mismatch',
    'not_applicable',
    'limit_exceeded',
  ],
})

export const listInstanceTemplates = endpoint({
  name: 'list_instance_templates',
  method: 'GET',
  path: '/preview/v2/instance_templates',
  area,
  summary: 'List instance templates',
  description: 'Newest first. User data are not shown; `get_instance_template_cloud_init` reads them.',
  query: namedFilters('instance_template', {
    prefix: 'itmplc',
    own: {
      image: repeated(idOrPath('image', ofThis('image'))),
    },
  }),
  response: pageOf(instanceTemplate, 'itmplc'),
  access: 'instance_template:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getInstanceTemplate = endpoint({
  name: 'get_instance_template',
  method: 'GET',
  path: '/preview/v2/instance_templates/:id',
  area,
  summary: 'Get an instance template',
  description: 'Shows the image, SSH keys, priority and networks of a template, without its user data.',
  params,
  response: instanceTemplate,
  access: 'instance_template:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const getInstanceTemplateCloudInit = endpoint({
  name: 'get_instance_template_cloud_init',
  method: 'GET',
  is_reading: false,
  path: '/preview/v2/instance_templates/:id/cloud_init_user_data',
  area,
  summary: 'Get template user data',
  description: 'Shows the cloud-init user data of a template, which may be secret. 404 if it has none.',
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

export const deleteInstanceTemplate = endpoint({
  name: 'delete_instance_template',
  method: 'DELETE',
  path: '/preview/v2/instance_templates/:id',
  area,
  summary: 'Delete an instance template',
  description:
    'Refused with `in_use` while a deployment uses it. Instances that it started run on. Its user data are erased.',
  params,
  access: 'instance_template:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'in_use'],
})

export const operations = [
  createInstanceTemplate,
  listInstanceTemplates,
  getInstanceTemplate,
  getInstanceTemplateCloudInit,
  deleteInstanceTemplate,
] as const
