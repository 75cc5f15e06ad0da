// Addresses of simulated hosts and of their machines. The hosts get private addresses. The machines get public
// addresses that are not routed on the internet: 198.18.0.0/15, reserved by RFC 2544 for tests of network devices.

const hostRange = { first: 0x0a80_0000, size: 2 ** 23 }
const publicRange = { first: 0xc612_0000, size: 2 ** 17 }

/** The address of the n-th simulated host, counted from 1, in 10.128.0.0/9. The numbers wrap around at the end. */
export function hostAddress(number: number): string {
  return format(hostRange.first + (number % hostRange.size))
}

/** `count` public addresses from the n-th on, counted from 1. Fewer or none if the range is exhausted. */
export function publicAddresses(first: number, count: number): string[] {
  const left = Math.max(0, Math.min(count, publicRange.size - first))
  return Array.from({ length: left }, (_, index) => format(publicRange.first + first + index))
}

function format(address: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')
}
