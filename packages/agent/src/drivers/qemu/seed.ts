/**
 * Writes the NoCloud volume that cloud-init reads at the first boot: an ISO 9660 image with Joliet names and the label
 * `cidata`. The field offsets are those of ECMA-119, sections 8 and 9.
 */

type Placed = { readonly name: string; readonly iso: string; readonly data: Buffer; readonly sector: number }

const sectorBytes = 2048
const rootIso = 23
const rootJoliet = 24
const firstFile = 25
/** Volume probes read at least 64 KiB, so a shorter volume is not detected. */
const paddingSectors = 150
/** A fixed time, so that the same files give the same volume. */
const recorded = [70, 1, 1, 0, 0, 0, 0]

/** Creates the volume from files by name. Throws if the directory does not fit into one sector. */
export function seedVolume(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const names = Object.keys(files).sort()
  let sector = firstFile
  const placed = names.map((name, index): Placed => {
    const data = Buffer.from(files[name] as string)
    const iso = `${name
      .toUpperCase()
      .replaceAll(/[^A-Z0-9_]/g, '_')
      .slice(0, 7)}${index};1`
    const at = sector
    sector += Math.max(1, Math.ceil(data.length / sectorBytes))
    return { name, iso, data, sector: at }
  })
  const end = Buffer.alloc(sectorBytes)
  end[0] = 255
  end.write('CD001', 1, 'latin1')
  end[6] = 1
  return Buffer.concat([
    Buffer.alloc(16 * sectorBytes),
    descriptor(1, { root: rootIso, total: sector, tables: [19, 20], isJoliet: false }),
    descriptor(2, { root: rootJoliet, total: sector, tables: [21, 22], isJoliet: true }),
    end,
    pathTable(rootIso, 'little'),
    pathTable(rootIso, 'big'),
    pathTable(rootJoliet, 'little'),
    pathTable(rootJoliet, 'big'),
    directory(rootIso, placed, (file) => Buffer.from(file.iso, 'latin1')),
    directory(rootJoliet, placed, (file) => bigEndianText(file.name)),
    ...placed.map(({ data }) => padded(data, Math.max(1, Math.ceil(data.length / sectorBytes)) * sectorBytes)),
    Buffer.alloc(paddingSectors * sectorBytes),
  ])
}

type Layout = {
  readonly root: number
  readonly total: number
  readonly tables: [number, number]
  readonly isJoliet: boolean
}

function descriptor(type: number, { root, total, tables, isJoliet }: Layout): Buffer {
  const sector = Buffer.alloc(sectorBytes)
  sector[0] = type
  sector.write('CD001', 1, 'latin1')
  sector[6] = 1
  blankText('LINUX', 32, isJoliet).copy(sector, 8)
  blankText('cidata', 32, isJoliet).copy(sector, 40)
  bothWays32(total).copy(sector, 80)
  if (isJoliet) sector.write('%/E', 88, 'latin1')
  for (const at of [120, 124]) bothWays16(1).copy(sector, at)
  bothWays16(sectorBytes).copy(sector, 128)
  bothWays32(10).copy(sector, 132)
  sector.writeUInt32LE(tables[0], 140)
  sector.writeUInt32BE(tables[1], 148)
  entry(Buffer.from([0]), { sector: root, size: sectorBytes, isDirectory: true }).copy(sector, 156)
  for (const [at, length] of [
    [190, 128],
    [318, 128],
    [446, 128],
    [574, 128],
    [702, 37],
    [739, 37],
    [776, 37],
  ] as const) {
    blankText('', length, isJoliet).copy(sector, at)
  }
  for (const at of [813, 830]) sector.write('1970010100000000', at, 'latin1')
  for (const at of [847, 864]) sector.write('0'.repeat(16), at, 'latin1')
  sector[881] = 1
  return sector
}

function directory(own: number, files: readonly Placed[], nameOf: (file: Placed) => Buffer): Buffer {
  const records = [
    entry(Buffer.from([0]), { sector: own, size: sectorBytes, isDirectory: true }),
    entry(Buffer.from([1]), { sector: own, size: sectorBytes, isDirectory: true }),
    ...files.map((file) => entry(nameOf(file), { sector: file.sector, size: file.data.length, isDirectory: false })),
  ]
  const whole = Buffer.concat(records)
  if (whole.length > sectorBytes) throw new Error('Too many files for one seed volume.')
  return padded(whole, sectorBytes)
}

function entry(
  name: Buffer,
  at: { readonly sector: number; readonly size: number; readonly isDirectory: boolean },
): Buffer {
  const record = Buffer.alloc(33 + name.length + (name.length % 2 === 0 ? 1 : 0))
  record[0] = record.length
  bothWays32(at.sector).copy(record, 2)
  bothWays32(at.size).copy(record, 10)
  record.set(recorded, 18)
  record[25] = at.isDirectory ? 2 : 0
  bothWays16(1).copy(record, 28)
  record[32] = name.length
  name.copy(record, 33)
  return record
}

function pathTable(root: number, order: 'little' | 'big'): Buffer {
  const sector = Buffer.alloc(sectorBytes)
  sector[0] = 1
  if (order === 'big') {
    sector.writeUInt32BE(root, 2)
    sector.writeUInt16BE(1, 6)
  } else {
    sector.writeUInt32LE(root, 2)
    sector.writeUInt16LE(1, 6)
  }
  return sector
}

/** Writes a number twice: little-endian, then big-endian. */
function bothWays16(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16LE(value, 0)
  bytes.writeUInt16BE(value, 2)
  return bytes
}

function bothWays32(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(value, 0)
  bytes.writeUInt32BE(value, 4)
  return bytes
}

function bigEndianText(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

function blankText(text: string, length: number, isJoliet: boolean): Buffer {
  if (!isJoliet) return Buffer.from(text.padEnd(length), 'latin1')
  return padded(bigEndianText(text.padEnd(length >> 1)), length)
}

function padded(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])
}
