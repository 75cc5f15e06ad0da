/** The dialogs of firewalls, subnets and InfiniBand partitions: what each creates, and what can be changed of it. */
import type { Firewall, InfinibandPartition, Subnet } from '@bourse/sdk'
import {
  createFirewall,
  createInfinibandPartition,
  createSubnet,
  updateFirewall,
  updateInfinibandPartition,
  updateSubnet,
} from '../generated/forms/network.ts'
import { client } from '../live/client.ts'
import { Choice } from '../live/forms/choice.tsx'
import { EditDialog } from '../live/forms/edit-dialog.tsx'
import type { InputProps } from '../live/forms/fields.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { useRead } from '../live/queries.ts'
import { Referrers, type ReferringField } from './referrers.tsx'

type CreateNetworkProps<T> = { onClose: () => void; onDone?: (made: T) => void }

/** A new firewall, which lets nothing in. */
export function CreateFirewall(props: CreateNetworkProps<Firewall>) {
  return (
    <OperationDialog
      form={createFirewall}
      title="Create a firewall"
      action="Create"
      fields={['name', 'workspace', 'tags']}
      nouns={['firewall']}
      said={({ name }) => `Created ${name}. Add its rules now.`}
      {...props}
    >
      <p className="quiet">A new firewall has no rules, so nobody reaches anything.</p>
    </OperationDialog>
  )
}

/** A new subnet. */
export function CreateSubnet(props: CreateNetworkProps<Subnet>) {
  return (
    <OperationDialog
      form={createSubnet}
      title="Create a subnet"
      action="Create"
      fields={['name', 'workspace', { name: 'region', input: RegionInput }, 'cidr', 'tags']}
      nouns={['subnet']}
      said={({ name }) => `Created ${name}.`}
      {...props}
    />
  )
}

/** A new partition. */
export function CreatePartition(props: CreateNetworkProps<InfinibandPartition>) {
  return (
    <OperationDialog
      form={createInfinibandPartition}
      title="Create a partition"
      action="Create"
      fields={['name', 'workspace', { name: 'infiniband_fabric', input: FabricInput }, 'tags']}
      nouns={['infiniband_partition']}
      said={({ name }) => `Created ${name}.`}
      {...props}
    />
  )
}

/** Renames a firewall, replaces its tags, or deletes it. */
export function EditFirewall({ firewall, onClose }: { firewall: Firewall; onClose: () => void }) {
  return (
    <EditDialog
      form={updateFirewall}
      remove="delete_firewall"
      row={firewall}
      fields={['name', 'tags']}
      nouns={['firewall']}
      deletion={inUse('firewall')}
      onClose={onClose}
    >
      <ReferredBy field="_preview_firewall" id={firewall.id} />
    </EditDialog>
  )
}

/** The same of a subnet. */
export function EditSubnet({ subnet, onClose }: { subnet: Subnet; onClose: () => void }) {
  return (
    <EditDialog
      form={updateSubnet}
      remove="delete_subnet"
      row={subnet}
      fields={['name', 'tags']}
      nouns={['subnet']}
      deletion={inUse('subnet')}
      onClose={onClose}
    >
      <ReferredBy field="subnet" id={subnet.id} />
    </EditDialog>
  )
}

/** The same of a partition. */
export function EditPartition({ partition, onClose }: { partition: InfinibandPartition; onClose: () => void }) {
  return (
    <EditDialog
      form={updateInfinibandPartition}
      remove="delete_infiniband_partition"
      row={partition}
      fields={['name', 'tags']}
      nouns={['infiniband_partition']}
      deletion={inUse('partition')}
      onClose={onClose}
    >
      <ReferredBy field="_preview_infiniband_partition" id={partition.id} />
    </EditDialog>
  )
}

function inUse(what: string): string {
  return `The ${what} is refused deletion while a template or a living instance refers to it.`
}

function ReferredBy({ field, id }: { field: ReferringField; id: string }) {
  return (
    <section>
      <h3>What refers to it</h3>
      <Referrers field={field} id={id} />
    </section>
  )
}

function RegionInput(props: InputProps) {
  return <SkuValueInput {...props} property="region" />
}

function FabricInput(props: InputProps) {
  return <SkuValueInput {...props} property="infiniband_fabric" />
}

/** A choice among the values that SKUs have of a property. */
function SkuValueInput({ property, ...rest }: InputProps & { property: 'region' | 'infiniband_fabric' }) {
  const { data } = useRead(['sku', 'values', property], async () => {
    const skus = await client.skus.list({ limit: 200 }).all({ max: 1_000 })
    return [...new Set(skus.flatMap((sku) => (sku[property] ? [wordOf(sku[property])] : [])))].sort()
  })
  const empty = data?.length === 0 ? 'No SKU that you can see has one.' : 'Choose…'
  return <Choice {...rest} required empty={empty} options={(data ?? []).map((name) => ({ id: name, name }))} />
}

function wordOf(property: string | { readonly value: string }): string {
  return typeof property === 'string' ? property : property.value
}
