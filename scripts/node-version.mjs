// Plain JavaScript, so that an old Node can run it and print the error. It could not parse the TypeScript sources.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`Bourse needs Node.js 24. This is ${process.versions.node} (${process.execPath}).`)
  console.error(
    'On Linux and macOS (x64, arm64) npm installs it beside the program: run `npm ci` in a checkout, or install the\n' +
      'package again, without --omit=optional.',
  )
  console.error('On other systems, install Node.js 24 and put it first on the PATH.')
  process.exit(1)
}
