// `npm run dev`: starts the server from the sources and keeps it current. Replaces it after changes of its
// packages; the database keeps running. Vite reloads changed modules of the dashboard in the page.
import { fork } from 'node:child_process'
import { join, relative } from 'node:path'
import { openPageBuilds } from '../build/background.js'
import { root } from '../build/files.js'
import { partsOfServer } from '../build/packages.js'
import { buildServer } from '../build/server.js'
import { freePort } from '../lib/free-port.js'
import { openProgress, toSeconds } from '../lib/progress.js'
import { rebuild, warmUp } from './rebuild.js'
import { ServerProcess } from './server-process.js'
import { watchSources } from './watch.js'

const packages = ['contract', 'client', 'flows', ...partsOfServer, 'server', 'cli']
const folders = packages
  .map((name) => `packages/${name}/src`)
  .concat('packages/server/page')

const progress = openProgress()
await buildServer(progress.show)
progress.end()
const vitePort = await freePort()
let vite = startVite()
const documentation = openPageBuilds(['documentation'], () => server.update())
const server = new ServerProcess({
  viteUrl: `http://127.0.0.1:${vitePort}`,
  documentation: () => documentation.states.documentation,
  onEnd: (code) => isStopping || console.log(`The server ended with ${code}. ${waiting}`),
})
const waiting = 'It starts again after the next change.'
let isStopping = false
let stoppedAt = Number.POSITIVE_INFINITY
stopWithParent()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
if (!(await server.replace())) process.exit(1)

/** Paths with changes that are not in the server yet. */
const pending = new Set()
let isApplying = false
watchSources(
  folders.map((folder) => join(root, folder)),
  (paths) => {
    for (const path of paths) pending.add(path)
    void applyAll()
  },
)
console.log('  Watching the packages. Types are checked by: npm run check\n')
await warmUp()
await documentation.build()

/** Changes that arrive meanwhile are applied together afterwards. */
async function applyAll() {
  if (isApplying) return
  isApplying = true
  while (pending.size > 0 && !isStopping) await apply([...pending.keys()])
  isApplying = false
}

async function apply(paths) {
  const startedAt = performance.now()
  pending.clear()
  const shown = paths.length > 1 ? `${paths.length} files` : relative(root, paths[0])
  progress.show(`Applying the change of ${shown}`)
  const outcome = await replaceServer(paths)
  progress.end()
  if (!isStopping) console.log(`${outcome} (${toSeconds(performance.now() - startedAt)})`)
}

/** Returns a sentence about the result. */
async function replaceServer(paths) {
  try {
    await rebuild(paths)
  } catch (error) {
    // esbuild prints errors of sources.
    if (!error.errors && !isStopping) console.error(error)
    return 'Error in a source, see above. The last good version keeps running.'
  }
  // Vite reads the contract when it starts.
  if (paths.some((path) => /[\\/]packages[\\/](contract|client)[\\/]/.test(path)))
    vite = startVite(vite)
  if (await server.replace()) return 'The server runs the change.'
  return server.isRunning
    ? 'The changed code does not load, see above. The last good version keeps running.'
    : `The server does not start with the change, see above. ${waiting}`
}

function startVite(previous) {
  previous?.kill('SIGKILL')
  const child = fork(join(root, 'scripts/dev/vite.js'), [String(vitePort)])
  child.on('exit', (code) => {
    if (code)
      console.error(`The dashboard's development server ended with ${code}, see above.`)
  })
  return child
}

/** A terminal sends SIGINT to all processes, and npm passes it on to this one: both are one signal. */
async function stop() {
  if (performance.now() - stoppedAt > 1_000) process.exit(1)
  if (isStopping) return
  isStopping = true
  stoppedAt = performance.now()
  vite.kill('SIGKILL')
  await server.stop()
  process.exit(0)
}

/** Where a shell is between npm and this process, it ends at a signal without passing it on. */
function stopWithParent() {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && !isStopping && stop(), 500).unref()
}
