/** Fingerprints of host keys. */

/** The fingerprint that OpenSSH shows before the first login; empty where nothing can hash or the key is not base64. */
export async function fingerprintText(key: string, subtle: SubtleCrypto | undefined): Promise<string> {
  if (!subtle) return ''
  try {
    const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
    const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
    return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`
  } catch {
    return ''
  }
}
