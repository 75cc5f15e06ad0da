import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  id,
  idOrPath,
  name,
  nullable,
  object,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  tags,
  timestamp,
} from '../kit/schema.ts'
import { imageSummary, workspaceSummary } from '../kit/summaries.ts'
import { tagFilters } from '../kit/tags.ts'
import { cloudInitAnswer, launchFields, priorityLevel } from './launch-fields.ts'

const area = 'instance templates'

/** The settings that a deployment starts its instances with. Templates are immutable: create a new one instead. */
export const instanceTemplate = resource('InstanceTemplate', {
  object: constant('instance_template'),
  id: id('instance_template'),
  resource_path: path('instance_template'),
  workspace: workspaceSummary,
  name: name(),
  image: imageSummary,
  cloud_init_user_data_used: boolean(),
  tags: nullable(tags()),
  priority_level: priorityLevel(),
  _preview_enable_public_ipv4: boolean(),
  _preview_firewall: nullable(id('firewall')),
  subnet: nullable(id('subnet')),
  _preview_infiniband_partition: nullable(id('infiniband_partition')),
  created_at: timestamp(),
})
export type InstanceTemplate = Static<typeof instanceTemplate>

const params = { id: idOrPath('instance_template') }

export const createInstanceTemplate = endpoint({
  name: 'create_instance_template',
  method: 'POST',
  path: '/preview/v2/instance_templates',
  area,
  summary: 'Create an instance template.',
  body: object({
    name: optional(name()),
    workspace: optional(idOrPath('workspace')),
    image: idOrPath('image'),
    ...launchFields,
  }),
  response: instanceTemplate,
  access: 'instance_template:create',
  idempotent: true,
  errors: [
    'invalid_base64',
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
  summary: 'List instance templates, newest first.',
  query: {
    ...pageParameters('itmplc'),
    workspace: optional(idOrPath('workspace')),
    id: repeated(idOrPath('instance_template')),
    image: repeated(idOrPath('image')),
    ...tagFilters,
  },
  response: pageOf(instanceTemplate, 'itmplc'),
  access: 'instance_template:list',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getInstanceTemplate = endpoint({
  name: 'get_instance_template',
  method: 'GET',
  path: '/preview/v2/instance_templates/:id',
  area,
  summary: 'Read one instance template.',
  params,
  response: instanceTemplate,
  access: 'instance_template:read',
  errors: ['forbidden', 'not_found'],
})

export const getInstanceTemplateCloudInit = endpoint({
  name: 'get_instance_template_cloud_init',
  method: 'GET',
  path: '/preview/v2/instance_templates/:id/cloud_init_user_data',
  area,
  summary: 'Read the cloud-init user data of a template. 404 if it has none.',
  params,
  response: cloudInitAnswer,
  access: 'secret:read',
  no_store: true,
  errors: ['forbidden', 'not_found'],
})

export const deleteInstanceTemplate = endpoint({
  name: 'delete_instance_template',
  method: 'DELETE',
  path: '/preview/v2/instance_templates/:id',
  area,
  summary: 'Delete an instance template that no deployment uses.',
  params,
  access: 'instance_template:delete',
  errors: ['forbidden', 'not_found', 'in_use'],
})

export const operations = [
  createInstanceTemplate,
  listInstanceTemplates,
  getInstanceTemplate,
  getInstanceTemplateCloudInit,
  deleteInstanceTemplate,
] as const
