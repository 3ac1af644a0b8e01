// Runs the built command line.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

// If the import fails, Node.js prints the error and exits with code 1.
if (existsSync(join(__dirname, '../dist/bundle/main.js'))) void import('../dist/bundle/main.js')
else {
  console.error('botstead: not built yet; run "npm install && npm start" first')
  process.exitCode = 1
}
