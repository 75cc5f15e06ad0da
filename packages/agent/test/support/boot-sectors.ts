/** Disks with a boot sector only, for tests without an operating system: such a machine boots in a second. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sectorBytes = 512
/** A BIOS refuses a disk that is smaller than a cylinder. */
const disk = 2 ** 20
const messageAt = 0x20

/**
 * Writes the message to the first serial line: xor ax,ax; mov ds,ax; mov dx,3f8h; mov si,message; next: lodsb;
 * test al,al; jz end; out dx,al; jmp next; end:
 */
const speaks = [
  0x31,
  0xc0,
  0x8e,
  0xd8,
  0xba,
  0xf8,
  0x03,
  0xbe,
  messageAt,
  0x7c,
  0xac,
  0x84,
  0xc0,
  0x74,
  0x03,
  0xee,
  0xeb,
  0xf8,
]

/** The programs, in the machine code of a processor in real mode. */
const programs = {
  /** Writes the message and halts forever: again: cli; hlt; jmp again */
  deaf: [...speaks, 0xfa, 0xf4, 0xeb, 0xfc],
  /** Writes the message and powers off by ACPI: mov dx,604h; mov ax,2000h; out dx,ax; hlt */
  powers_off: [...speaks, 0xba, 0x04, 0x06, 0xb8, 0x00, 0x20, 0xef, 0xf4],
  /** Pulls the reset line of the keyboard controller, again at each start: mov al,feh; out 64h,al; hlt */
  resets: [0xb0, 0xfe, 0xe6, 0x64, 0xf4],
} as const

/** The message. */
export const spoken = 'nothing is heard here'

/** Writes the disk of a program into a folder. Returns its path. */
export function writeBootSector(directory: string, name: keyof typeof programs): string {
  const sector = Buffer.alloc(disk)
  sector.set(programs[name])
  sector.write(`${spoken}\r\n\0`, messageAt, 'latin1')
  sector.writeUInt16LE(0xaa55, sectorBytes - 2)
  const path = join(directory, `${name}.img`)
  writeFileSync(path, sector, { mode: 0o444 })
  return path
}
