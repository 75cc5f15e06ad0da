/** A part of a network by its name. */
import { useAll } from '../live/all.ts'

type NetworkNameProps = {
  operation: 'list_subnets' | 'list_firewalls' | 'list_infiniband_partitions'
  id: string | null
}

/** The name; the id while it is not known. */
export function NetworkName({ operation, id }: NetworkNameProps) {
  const { data } = useAll(operation, {})
  return <bdi>{data?.find((one) => one.id === id)?.name ?? id}</bdi>
}
