/** The canonical form of e-mail addresses. */
import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * The one form of an e-mail address that is stored and compared: in Unicode form NFC, with the domain as UTS #46 maps
 * it, so in lower case and not in Punycode. The case of the part before stays, since it is that of the mailbox.
 */
export function canonicalEmail(email: string): string {
  const text = email.normalize('NFC')
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const domain = text.slice(at + 1)
  // A text that is no domain, such as an address literal, is mapped to an empty one.
  return text.slice(0, at + 1) + (domainToUnicode(domainToASCII(domain)) || domain.toLowerCase())
}
