// Plain JavaScript, so that an old Node can run it and print the error. It could not parse the TypeScript sources.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`Bourse needs Node.js 24. This is ${process.versions.node} (${process.execPath}).`)
  console.error(
    'On Linux and macOS (x64, arm64) `npm ci` installs the right version: run it, then use npm scripts or npx.',
  )
  console.error('On other systems, install Node.js 24 and put it first on the PATH.')
  process.exit(1)
}
