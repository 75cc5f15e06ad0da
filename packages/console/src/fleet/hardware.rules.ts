/** What a node of a SKU is made of, as one line. Pure. */
import type { Sku } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'
import { sizeText } from '@bourse/text/formats/short.ts'

type NodeParts = Partial<
  Pick<Sku, 'accelerator' | 'num_accelerators' | 'num_vcpus' | 'memory_bytes' | 'local_storage_bytes'>
>

/** Its parts, the accelerators first: `8 × NVIDIA H100 · 192 vCPUs · 2 TiB memory · 15 TiB storage`. */
export function hardwareText(sku: NodeParts): string {
  const { accelerator, num_accelerators, num_vcpus, memory_bytes, local_storage_bytes } = sku
  const parts = [
    accelerator && `${num_accelerators?.value ?? 1} × ${accelerator.display_value}`,
    num_vcpus && counted(num_vcpus.value, 'vCPU'),
    memory_bytes && `${sizeText(memory_bytes.value)} memory`,
    local_storage_bytes && `${sizeText(local_storage_bytes.value)} storage`,
  ]
  return parts.filter((part) => part).join(' · ')
}
