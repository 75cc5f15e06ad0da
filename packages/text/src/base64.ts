/** Bytes as base64, in browsers as in Node. */

/** Bytes in base64. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** A text in base64 of its UTF-8. */
export function base64Of(text: string): string {
  return encodeBase64(new TextEncoder().encode(text))
}

/** The bytes of base64, whose padding may be missing; undefined for any other text. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
