/** Firewalls, subnets and InfiniBand partitions: used, full and invalid ones. */
import { done, type Item, refusal } from '../item.ts'
import { deploymentBody, instanceBody, newTemplate } from '../parts.ts'

export const networkItems: readonly Item[] = [
  {
    name: 'default-firewall',
    covers: [refusal('update_firewall', 'default_firewall'), refusal('delete_firewall', 'default_firewall')],
    work: async (pass) => {
      const { data } = await pass.ok('list_firewalls', { query: 'limit=200' })
      const { id } = data.find(({ is_default }: any) => is_default)
      await pass.refuse('update_firewall', 'default_firewall', { id, body: { name: pass.unique() } })
      await pass.refuse('delete_firewall', 'default_firewall', { id })
    },
  },
  {
    name: 'firewall-in-use',
    covers: [done('replace_firewall_rules'), refusal('delete_firewall', 'firewall_in_use')],
    work: async (pass) => {
      const { id } = await pass.ok('create_firewall', { body: {} })
      const rules = [{ protocol: 'tcp', port_from: 22, source_cidr: '0.0.0.0/0' }]
      await pass.ok('replace_firewall_rules', { id, body: { rules } })
      await newTemplate(pass, { _preview_enable_public_ipv4: true, _preview_firewall: id })
      await pass.refuse('delete_firewall', 'firewall_in_use', { id })
    },
  },
  {
    name: 'partition-in-use',
    covers: [refusal('delete_infiniband_partition', 'in_use')],
    work: async (pass) => {
      const { id } = await pass.ok('create_infiniband_partition', { body: { infiniband_fabric: 'fabric-1' } })
      await newTemplate(pass, { _preview_infiniband_partition: id })
      await pass.refuse('delete_infiniband_partition', 'in_use', { id })
    },
  },
  {
    name: 'unknown-fabric',
    covers: [refusal('create_infiniband_partition', 'fabric_not_found')],
    work: async (pass) => {
      const body = { infiniband_fabric: 'fabric-9' }
      await pass.refuse('create_infiniband_partition', 'fabric_not_found', { body })
    },
  },
  {
    name: 'overlapping-subnets',
    covers: [refusal('create_subnet', 'subnet_overlap')],
    work: async (pass) => {
      const body = { region: 'south', cidr: '10.77.0.0/28' }
      await pass.ok('create_subnet', { body })
      await pass.refuse('create_subnet', 'subnet_overlap', { body })
    },
  },
  {
    // Eleven addresses, and a deployment that takes all of them.
    name: 'full-subnet',
    covers: [refusal('create_instance', 'subnet_full'), refusal('delete_subnet', 'in_use')],
    work: async (pass) => {
      const { id: subnet } = await pass.ok('create_subnet', { body: { region: 'north', cidr: '10.9.0.0/28' } })
      const instance_template = await newTemplate(pass, { subnet })
      const body = await deploymentBody(pass, { instance_template, target_instance_count: 11 })
      const { id } = await pass.ok('create_deployment', { body })
      await pass.advance(1)
      await pass.refuse('create_instance', 'subnet_full', { body: instanceBody(pass, { subnet }) })
      await pass.refuse('delete_subnet', 'in_use', { id: subnet })
      await pass.ok('delete_deployment', { id })
    },
  },
]
