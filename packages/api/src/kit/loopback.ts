/** Tells this machine's own addresses from those of other machines, to which traffic must be encrypted. */

/** Whether a host name or address is this machine itself. Brackets around an IPv6 address are allowed. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
}

/** Whether a URL sends plain HTTP to another machine. A malformed URL does not. */
export function isUnencryptedUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}
