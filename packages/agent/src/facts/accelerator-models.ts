/**
 * Accelerators by their PCI ids, as the makers publish them. An operator adds others, or corrects one, by a file
 * (`--accelerators-file`).
 */

/** A model of accelerators. `kind` and `form_factor` are what SKUs name. */
export type AcceleratorModel = {
  readonly kind: string
  readonly name: string
  readonly form_factor: string | null
  readonly memory_bytes: number | null
}

/** Models by `vendor:device`. */
export type AcceleratorTable = ReadonlyMap<string, AcceleratorModel>

const gib = 2 ** 30

/** PCI id, kind, name, form factor, memory in GiB. */
const rows: readonly (readonly [string, string, string, string | null, number | null])[] = [
  ['10de:15f8', 'p100', 'NVIDIA P100 PCIe 16 GB', 'pcie', 16],
  ['10de:15f9', 'p100', 'NVIDIA P100 SXM2 16 GB', 'sxm2', 16],
  ['10de:1b38', 'p40', 'NVIDIA P40 24 GB', 'pcie', 24],
  ['10de:1bb3', 'p4', 'NVIDIA P4 8 GB', 'pcie', 8],
  ['10de:1db1', 'v100', 'NVIDIA V100 SXM2 16 GB', 'sxm2', 16],
  ['10de:1db4', 'v100', 'NVIDIA V100 PCIe 16 GB', 'pcie', 16],
  ['10de:1db5', 'v100', 'NVIDIA V100 SXM2 32 GB', 'sxm2', 32],
  ['10de:1db6', 'v100', 'NVIDIA V100 PCIe 32 GB', 'pcie', 32],
  ['10de:1db8', 'v100', 'NVIDIA V100 SXM3 32 GB', 'sxm3', 32],
  ['10de:1df6', 'v100s', 'NVIDIA V100S PCIe 32 GB', 'pcie', 32],
  ['10de:1eb8', 't4', 'NVIDIA T4 16 GB', 'pcie', 16],
  ['10de:20b0', 'a100', 'NVIDIA A100 SXM4 40 GB', 'sxm4', 40],
  ['10de:20b1', 'a100', 'NVIDIA A100 PCIe 40 GB', 'pcie', 40],
  ['10de:20b2', 'a100', 'NVIDIA A100 SXM4 80 GB', 'sxm4', 80],
  ['10de:20b3', 'a100', 'NVIDIA A100 SXM4 64 GB', 'sxm4', 64],
  ['10de:20b5', 'a100', 'NVIDIA A100 PCIe 80 GB', 'pcie', 80],
  ['10de:20b7', 'a30', 'NVIDIA A30 24 GB', 'pcie', 24],
  ['10de:20f1', 'a100', 'NVIDIA A100 PCIe 40 GB', 'pcie', 40],
  ['10de:20f3', 'a800', 'NVIDIA A800 SXM4 80 GB', 'sxm4', 80],
  ['10de:20f5', 'a800', 'NVIDIA A800 PCIe 80 GB', 'pcie', 80],
  ['10de:2230', 'rtx-a6000', 'NVIDIA RTX A6000 48 GB', 'pcie', 48],
  ['10de:2235', 'a40', 'NVIDIA A40 48 GB', 'pcie', 48],
  ['10de:2236', 'a10', 'NVIDIA A10 24 GB', 'pcie', 24],
  ['10de:2237', 'a10g', 'NVIDIA A10G 24 GB', 'pcie', 24],
  ['10de:25b6', 'a16', 'NVIDIA A16 or A2 16 GB', 'pcie', 16],
  ['10de:2321', 'h100', 'NVIDIA H100 NVL 94 GB', 'nvl', 94],
  ['10de:2322', 'h800', 'NVIDIA H800 PCIe 80 GB', 'pcie', 80],
  ['10de:2324', 'h800', 'NVIDIA H800 SXM5 80 GB', 'sxm5', 80],
  ['10de:2329', 'h20', 'NVIDIA H20 SXM5 96 GB', 'sxm5', 96],
  ['10de:2330', 'h100', 'NVIDIA H100 SXM5 80 GB', 'sxm5', 80],
  ['10de:2331', 'h100', 'NVIDIA H100 PCIe 80 GB', 'pcie', 80],
  ['10de:2335', 'h200', 'NVIDIA H200 SXM5 141 GB', 'sxm5', 141],
  ['10de:2339', 'h100', 'NVIDIA H100 SXM5 94 GB', 'sxm5', 94],
  ['10de:233b', 'h200', 'NVIDIA H200 NVL 141 GB', 'nvl', 141],
  ['10de:2342', 'gh200', 'NVIDIA GH200 96 GB', 'superchip', 96],
  ['10de:26b1', 'rtx-6000-ada', 'NVIDIA RTX 6000 Ada 48 GB', 'pcie', 48],
  ['10de:26b5', 'l40', 'NVIDIA L40 48 GB', 'pcie', 48],
  ['10de:26b9', 'l40s', 'NVIDIA L40S 48 GB', 'pcie', 48],
  ['10de:27b8', 'l4', 'NVIDIA L4 24 GB', 'pcie', 24],
  ['10de:2901', 'b200', 'NVIDIA B200 SXM6 180 GB', 'sxm6', 180],
  ['10de:2941', 'gb200', 'NVIDIA GB200 186 GB', 'superchip', 186],
  ['10de:2bb5', 'rtx-pro-6000', 'NVIDIA RTX PRO 6000 Server 96 GB', 'pcie', 96],
  ['10de:3182', 'b300', 'NVIDIA B300 SXM6 288 GB', 'sxm6', 288],
  ['1002:66a1', 'mi50', 'AMD Instinct MI50 32 GB', 'pcie', 32],
  ['1002:738c', 'mi100', 'AMD Instinct MI100 32 GB', 'pcie', 32],
  ['1002:7408', 'mi250x', 'AMD Instinct MI250X 64 GB a die', 'oam', 64],
  ['1002:740c', 'mi250', 'AMD Instinct MI250 64 GB a die', 'oam', 64],
  ['1002:740f', 'mi210', 'AMD Instinct MI210 64 GB', 'pcie', 64],
  ['1002:74a0', 'mi300a', 'AMD Instinct MI300A 128 GB', 'sh5', 128],
  ['1002:74a1', 'mi300x', 'AMD Instinct MI300X 192 GB', 'oam', 192],
  ['1002:74a2', 'mi308x', 'AMD Instinct MI308X 192 GB', 'oam', 192],
  ['1002:74a5', 'mi325x', 'AMD Instinct MI325X 256 GB', 'oam', 256],
  ['1002:75a0', 'mi350x', 'AMD Instinct MI350X 288 GB', 'oam', 288],
  ['1002:75a3', 'mi355x', 'AMD Instinct MI355X 288 GB', 'oam', 288],
  ['8086:0bd5', 'max-1550', 'Intel Data Center GPU Max 1550 128 GB', 'oam', 128],
  ['8086:0bd6', 'max-1550', 'Intel Data Center GPU Max 1550 128 GB', 'oam', 128],
  ['8086:0bda', 'max-1100', 'Intel Data Center GPU Max 1100 48 GB', 'pcie', 48],
  ['8086:56c0', 'flex-170', 'Intel Data Center GPU Flex 170 16 GB', 'pcie', 16],
  ['8086:56c1', 'flex-140', 'Intel Data Center GPU Flex 140 6 GB', 'pcie', 6],
  ['1da3:1000', 'gaudi', 'Intel Gaudi 32 GB', 'oam', 32],
  ['1da3:1020', 'gaudi2', 'Intel Gaudi 2 96 GB', 'oam', 96],
  ['1da3:1060', 'gaudi3', 'Intel Gaudi 3 128 GB', 'oam', 128],
]

/** The models that the agent knows by itself. */
export const knownAccelerators: AcceleratorTable = new Map(
  rows.map(([pciId, kind, name, form_factor, gibibytes]) => {
    const memory_bytes = gibibytes === null ? null : gibibytes * gib
    return [pciId, { kind, name, form_factor, memory_bytes }]
  }),
)
