// Plain JavaScript, so that an old Node can still run it and say what is wrong: it would not even parse our sources.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`Bourse runs on Node.js 24; this is ${process.versions.node} (${process.execPath}).`)
  console.error(
    'On Linux and macOS (x64, arm64) `npm ci` brings the right one along: run it, then start by npm scripts or npx.',
  )
  console.error('Elsewhere install Node.js 24 and put it first on the PATH.')
  process.exit(1)
}
