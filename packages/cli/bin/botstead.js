#!/usr/bin/env node
// CommonJS, in syntax that old versions of Node parse: it checks the version before it loads
// anything else.
const complaint = require('./node-version.js').complaintAbout(process.versions.node)

if (complaint) {
  console.error(complaint)
  process.exitCode = 1
} else require('./run.js')
