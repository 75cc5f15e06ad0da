/** The bar that only a sandbox shows. */

/** The bar. */
export function SandboxBar() {
  return null
}
