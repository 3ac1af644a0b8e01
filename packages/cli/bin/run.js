// Runs the built command line.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

// If the import fails, Node.js prints the error and exits with code 1.
if (existsSync(join(__dirname, '../dist/main.js'))) void import('../dist/main.js')
else {
  console.error('botstead: not built yet; run "npm install && npm run build" first')
  process.exitCode = 1
}
