// Runs the built command line.
const { existsSync } = require('node:fs')
const nodeModule = require('node:module')
const { join } = require('node:path')

// Newer versions of Node than 20 store compiled code, which is half of the time of a start. The folder is one
// that only the owner of the installation can write.
if (nodeModule.enableCompileCache)
  nodeModule.enableCompileCache(join(__dirname, '../dist/compiled'))

// If the import fails, Node.js prints the error and exits with code 1.
if (existsSync(join(__dirname, '../dist/bundle/main.js')))
  void import('../dist/bundle/main.js')
else {
  console.error('botstead: not built yet; run "npm install && npm start" first')
  process.exitCode = 1
}
