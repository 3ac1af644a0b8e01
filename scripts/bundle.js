// Bundles the packages, and builds the dashboard and the documentation. Skips those that are up to date.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildDashboard } from './build/dashboard.js'
import { root } from './build/files.js'
import { buildServer } from './build/server.js'

await buildServer()
// The documentation in a separate process, which uses the other core.
await Promise.all([
  buildDashboard(),
  promisify(execFile)(process.execPath, [join(root, 'scripts/docs.js')]),
])
