// Runs the built command line.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

if (existsSync(join(__dirname, '../dist/main.js'))) import('../dist/main.js')
else {
  console.error('botstead: not built yet; run "npm install && npm run build" first')
  process.exitCode = 1
}
