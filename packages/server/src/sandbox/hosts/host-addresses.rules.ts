// Addresses of hosts that are not there: private ones for the hosts, and for their machines such public ones as nobody
// on the internet has (198.18.0.0/15, set aside for tests of network devices by RFC 2544).

const HOST_RANGE = { first: 0x0a80_0000, size: 2 ** 23 }
const PUBLIC_RANGE = { first: 0xc612_0000, size: 2 ** 17 }

/** The address of the n-th simulated host, counted from 1, in 10.128.0.0/9; numbers past its end start over. */
export function hostAddress(number: number): string {
  return format(HOST_RANGE.first + (number % HOST_RANGE.size))
}

/** So many public addresses from the n-th on, counted from 1; fewer or none where the range is used up. */
export function publicAddresses(first: number, count: number): string[] {
  const left = Math.max(0, Math.min(count, PUBLIC_RANGE.size - first))
  return Array.from({ length: left }, (_, index) => format(PUBLIC_RANGE.first + first + index))
}

function format(address: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')
}
