/**
 * The disk of a probe machine: a boot sector that lists the PCI functions which a guest sees. It boots in a second, and
 * needs no image of the operator.
 */

const sectorBytes = 512
/** A BIOS refuses a disk that is smaller than a cylinder. */
const diskBytes = 2 ** 20

/**
 * For function 0 of each device of the first 64 buses, asks the configuration ports (write the address to cf8h, read
 * the ids from cfch), and writes `pci VENDOR:DEVICE` to the first serial line. Ends with `all seen`, and halts.
 */
const program = [
  // xor ax,ax; mov ds,ax; xor ebx,ebx
  0x31,
  0xc0,
  0x8e,
  0xd8,
  0x66,
  0x31,
  0xdb,
  // next: mov eax,80000000h; or eax,ebx; mov dx,cf8h; out dx,eax; mov dl,fch; in eax,dx; cmp eax,-1; je skip
  0x66,
  0xb8,
  0x00,
  0x00,
  0x00,
  0x80,
  0x66,
  0x09,
  0xd8,
  0xba,
  0xf8,
  0x0c,
  0x66,
  0xef,
  0xb2,
  0xfc,
  0x66,
  0xed,
  0x66,
  0x83,
  0xf8,
  0xff,
  0x74,
  0x22,
  // mov ebp,eax; mov si,"pci "; call print; mov di,bp; call word; mov al,':'; call put
  0x66,
  0x89,
  0xc5,
  0xbe,
  0x83,
  0x7c,
  0xe8,
  0x4b,
  0x00,
  0x89,
  0xef,
  0xe8,
  0x2e,
  0x00,
  0xb0,
  0x3a,
  0xe8,
  0x4c,
  0x00,
  // shr ebp,16; mov di,bp; call word; mov si,"\r\n"; call print
  0x66,
  0xc1,
  0xed,
  0x10,
  0x89,
  0xef,
  0xe8,
  0x20,
  0x00,
  0xbe,
  0x88,
  0x7c,
  0xe8,
  0x32,
  0x00,
  // skip: add ebx,800h; cmp ebx,400000h; jb next; mov si,"all seen\r\n"; call print; halt: cli; hlt; jmp halt
  0x66,
  0x81,
  0xc3,
  0x00,
  0x08,
  0x00,
  0x00,
  0x66,
  0x81,
  0xfb,
  0x00,
  0x00,
  0x40,
  0x00,
  0x72,
  0xb6,
  0xbe,
  0x8b,
  0x7c,
  0xe8,
  0x1c,
  0x00,
  0xfa,
  0xf4,
  0xeb,
  0xfc,
  // word: mov cx,4; digit: rol di,4; mov ax,di; and al,15; add al,'0'; cmp al,'9'; jbe +2; add al,39; call put;
  // loop digit; ret
  0xb9,
  0x04,
  0x00,
  0xc1,
  0xc7,
  0x04,
  0x89,
  0xf8,
  0x24,
  0x0f,
  0x04,
  0x30,
  0x3c,
  0x39,
  0x76,
  0x02,
  0x04,
  0x27,
  0xe8,
  0x0e,
  0x00,
  0xe2,
  0xec,
  0xc3,
  // print: lodsb; test al,al; jz end; call put; jmp print; end: ret
  0xac,
  0x84,
  0xc0,
  0x74,
  0x05,
  0xe8,
  0x03,
  0x00,
  0xeb,
  0xf6,
  0xc3,
  // put: mov dx,3f8h; out dx,al; ret
  0xba,
  0xf8,
  0x03,
  0xee,
  0xc3,
  ...Buffer.from('pci \0\r\n\0all seen\r\n\0', 'latin1'),
]

/** The disk. */
export function probeDisk(): Buffer {
  const disk = Buffer.alloc(diskBytes)
  disk.set(program)
  disk.writeUInt16LE(0xaa55, sectorBytes - 2)
  return disk
}

/** The ids that the console shows, as `vendor:device`; undefined until it has shown all. */
export function idsSeen(output: string): string[] | undefined {
  if (!/^all seen\r?$/m.test(output)) return undefined
  return [...output.matchAll(/^pci ([0-9a-f]{4}:[0-9a-f]{4})\r?$/gm)].map(([, ids]) => ids as string)
}

/** Devices of every machine: those of the board, and those that QEMU emulates. */
const emulated = /^(?:8086:(?:29|10d)|1af4:|1b36:(?:000[0-9a-f]|0011)$)/

/** What a guest should see of its devices and does not, or sees and should not; undefined if it is right. */
export function probeProblem(seen: readonly string[], expected: readonly string[]): string | undefined {
  const left = seen.filter((ids) => expected.includes(ids) || !emulated.test(ids))
  const missing = expected.filter((ids) => {
    const at = left.indexOf(ids)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  if (missing.length > 0) return `a machine of it does not see ${missing.join(', ')}`
  return left.length > 0 ? `a machine of it sees ${left.join(', ')} too` : undefined
}
