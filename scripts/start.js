// `npm start`: bundles the changed sources, starts the server, and builds the pages behind it.
import { rmSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { openPageBuilds } from './build/background.js'
import { root } from './build/files.js'
import { buildServer } from './build/server.js'
import { openProgress, toSeconds } from './lib/progress.js'

const startedAt = performance.now()
const progress = openProgress()
let isChanged = false
await buildServer((text) => {
  isChanged = true
  progress.show(text)
})
progress.end()
// As in packages/cli/bin/run.js; Node 20 has none.
const compiled = join(root, 'packages/cli/dist/compiled')
if (isChanged) {
  rmSync(compiled, { recursive: true, force: true })
  console.log(`Bundled what changed in ${toSeconds(performance.now() - startedAt)}.`)
}
Object(module).enableCompileCache?.(compiled)
// Bundles have no types.
const bundle = '../packages/cli/dist/bundle'
const { start } = await import(`${bundle}/start.js`)
const { report } = await import(`${bundle}/failure.js`)
const { states, build } = openPageBuilds()
await start({
  isForPeople: true,
  pages: {
    dashboard: { findBuild: () => states.dashboard },
    findDocumentationBuild: () => states.documentation,
  },
  async onRunning(greet) {
    await greet()
    void build()
  },
}).catch((error) => {
  report(error)
  process.exit()
})
