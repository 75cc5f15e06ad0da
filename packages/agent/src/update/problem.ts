/** Why a version cannot be installed, for the operator. */
type BundleProblem = Error & { readonly name: 'BundleProblem' }

/** Creates a `BundleProblem`. */
export function bundleProblem(message: string): BundleProblem {
  return Object.assign(new Error(message), { name: 'BundleProblem' } as const)
}
