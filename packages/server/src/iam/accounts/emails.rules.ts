/** The canonical form of e-mail addresses. */
import { domainToASCII, domainToUnicode } from 'node:url'

/** Letters and digits of any script, hyphens and full stops, in compatibility form. All else is no name of a host. */
const hostName = /^[\p{L}\p{M}\p{Nd}.\u3002-]+$/u
/** Such a name is read as an IPv4 address, in one of its many notations. */
const endsInNumber = /(?:^|[.\u3002])(?:\d+|0x[\da-f]*)[.\u3002]?$/i

/**
 * The one form of an e-mail address that is stored and compared: in Unicode form NFC, with the domain as UTS #46 maps
 * it, so in lower case and not in Punycode. The case of the part before stays, since it is that of the mailbox. What is
 * no name of a host, such as an address literal, is only brought to lower case.
 */
export function canonicalEmail(email: string): string {
  const text = email.normalize('NFC')
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const domain = text.slice(at + 1)
  return text.slice(0, at + 1) + (mappedDomain(domain) || domain.toLowerCase())
}

/**
 * The forms in which an address may be stored: the canonical one, as it came, and with the domain in Punycode. The last
 * two were written by programs of before schema 76.
 */
export function formsOfEmail(email: string): string[] {
  const canonical = canonicalEmail(email)
  const end = canonical.lastIndexOf('@') + 1
  const encoded = domainToASCII(mappedDomain(canonical.slice(end)))
  return [...new Set([canonical, email, encoded === '' ? canonical : canonical.slice(0, end) + encoded])]
}

/** A domain as UTS #46 maps it; empty if it is none. Node.js reads it as in a URL, where a name may end early. */
function mappedDomain(domain: string): string {
  const plain = domain.normalize('NFKC')
  if (!hostName.test(plain) || endsInNumber.test(plain)) return ''
  return domainToUnicode(domainToASCII(domain))
}
