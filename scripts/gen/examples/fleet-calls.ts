/** Calls of images, networks, instances and deployments. */
import { createHash } from 'node:crypto'
import { type Calls, partOfImage } from './example-call.ts'

const cloud_init_user_data = Buffer.from('#cloud-config\npackages: [htop]\n').toString('base64')
const web = { protocol: 'tcp', port_from: 443, source_cidr: '0.0.0.0/0', description: 'HTTPS' }
const ssh = { protocol: 'tcp', port_from: 22, source_cidr: '203.0.113.0/24', description: 'SSH from the office' }

export const imageCalls: Calls = ({ ids }) => [
  { operation: 'create_image', body: { name: 'trainer-3' } },
  {
    operation: 'create_image_part',
    params: { id: 'svc:image:acme:default:trainer-3' },
    body: { part_id: 1 },
    after: 'a part is uploaded',
  },
  { operation: 'list_image_parts', params: { id: 'svc:image:acme:default:trainer-3' } },
  {
    operation: 'complete_image',
    params: { id: 'svc:image:acme:default:trainer-3' },
    body: { sha256: createHash('sha256').update(partOfImage).digest('hex') },
    after: 'a minute passes',
  },
  { operation: 'list_images', query: { limit: 2, state: 'completed' } },
  { operation: 'get_image', params: { id: ids.image } },
  { operation: 'get_image_download', params: { id: 'svc:image:acme:default:trainer-3' } },
  { operation: 'revoke_image', params: { id: 'svc:image:acme:default:trainer-3' } },
  { operation: 'reinstate_image', params: { id: 'svc:image:acme:default:trainer-3' } },
  {
    operation: 'deprecate_image',
    params: { id: 'svc:image:acme:default:trainer-3' },
    body: { message: 'Use trainer-4: it has the new driver.' },
  },
  { operation: 'delete_image', params: { id: 'svc:image:acme:default:trainer-3' } },
]

export const networkCalls: Calls = ({ ids }) => [
  { operation: 'create_firewall', body: { name: 'gateway', rules: [web, ssh], tags: { tier: 'front' } } },
  { operation: 'list_firewalls', query: { limit: 2 } },
  { operation: 'get_firewall', params: { id: ids.firewall } },
  { operation: 'update_firewall', params: { id: 'svc:firewall:acme:default:gateway' }, body: { name: 'entry' } },
  { operation: 'replace_firewall_rules', params: { id: 'svc:firewall:acme:default:entry' }, body: { rules: [web] } },
  { operation: 'delete_firewall', params: { id: 'svc:firewall:acme:default:entry' } },
  { operation: 'create_subnet', body: { name: 'storage', region: 'us-west', cidr: '10.40.0.0/20' } },
  { operation: 'list_subnets' },
  { operation: 'get_subnet', params: { id: ids.subnet } },
  { operation: 'update_subnet', params: { id: 'svc:subnet:acme:default:storage' }, body: { name: 'cache' } },
  { operation: 'delete_subnet', params: { id: 'svc:subnet:acme:default:cache' } },
  { operation: 'create_infiniband_partition', body: { name: 'sweeps', infiniband_fabric: 'west-ib' } },
  { operation: 'list_infiniband_partitions' },
  { operation: 'get_infiniband_partition', params: { id: ids.infiniband_partition } },
  {
    operation: 'update_infiniband_partition',
    params: { id: 'svc:infiniband_partition:acme:default:sweeps' },
    body: { tags: { team: 'training' } },
  },
  { operation: 'delete_infiniband_partition', params: { id: 'svc:infiniband_partition:acme:default:sweeps' } },
]

export const instanceCalls: Calls = ({ ids }) => {
  const place = { pool: 'svc:pool:acme:default:training', sku: ids.sku }
  const evaluation = { id: 'svc:instance:acme:default:evaluation' }
  return [
    {
      operation: 'create_instance_template',
      body: {
        name: 'evaluator',
        image: 'svc:image:acme:default:trainer-2',
        cloud_init_user_data,
        priority_level: 'normal',
        tags: { team: 'training' },
      },
    },
    { operation: 'list_instance_templates', query: { limit: 1 } },
    { operation: 'get_instance_template', params: { id: ids.instance_template } },
    { operation: 'get_instance_template_cloud_init', params: { id: ids.instance_template } },
    { operation: 'delete_instance_template', params: { id: 'svc:instance_template:acme:default:evaluator' } },
    { operation: 'list_instances', query: { limit: 2, state: 'running' } },
    { operation: 'get_instance', params: { id: ids.instance } },
    { operation: 'get_instance_cloud_init', params: { id: ids.instance } },
    { operation: 'get_instance_ssh', params: { id: ids.instance } },
    { operation: 'get_instance_attestation', params: { id: ids.instance } },
    { operation: 'list_instance_logs', params: { id: ids.instance }, query: { limit: 2 } },
    { operation: 'explain_instance', params: { id: ids.instance_waiting } },
    {
      operation: 'create_instance',
      body: { ...place, name: 'evaluation', image: 'svc:image:acme:default:trainer-2', tags: { team: 'training' } },
    },
    {
      operation: 'update_instance',
      params: evaluation,
      body: { tags: { team: 'training', run: '42' }, priority_level: 'preferred' },
    },
    {
      operation: 'update_instance_priorities',
      body: {
        data: [
          { id: evaluation.id, priority_level: 'critical' },
          { id: ids.instance, priority_level: null },
        ],
      },
    },
    {
      operation: 'replace_instance',
      params: evaluation,
      body: { image: 'svc:image:bourse:public:ubuntu-24.04', name: 'evaluation-2' },
    },
    { operation: 'terminate_instance', params: { id: 'svc:instance:acme:default:evaluation-2' } },
    { operation: 'delete_instance', params: { id: 'svc:instance:acme:default:evaluation-2' } },
  ]
}

const spot = {
  kind: 'spot',
  name: 'crunch',
  pool: 'svc:pool:acme:default:training-extra',
  instance_template: 'svc:instance_template:acme:default:trainer',
  target_instance_count: 2,
  max_buy_price_dollars_per_node_hour: '20.00',
}

export const deploymentCalls: Calls = ({ ids }) => [
  { operation: 'create_deployment_estimate', body: { ...spot, sku: ids.sku } },
  {
    operation: 'create_deployment',
    body: { ...spot, sku: ids.sku },
    after: 'the sandbox settles',
  },
  { operation: 'list_deployments', query: { limit: 2 } },
  { operation: 'get_deployment', params: { id: ids.deployment } },
  {
    operation: 'create_deployment_update_estimate',
    params: { id: 'svc:deployment:acme:default:crunch' },
    body: { target_instance_count: 4 },
  },
  {
    operation: 'update_deployment',
    params: { id: 'svc:deployment:acme:default:crunch' },
    body: { target_instance_count: 1, max_buy_price_dollars_per_node_hour: '18.00' },
  },
  { operation: 'delete_deployment', params: { id: 'svc:deployment:acme:default:crunch' } },
]
