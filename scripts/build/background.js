// Builds pages while the server runs, each in a process that ends with this one.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { openProgress, toSeconds } from '../lib/progress.js'
import { root } from './files.js'
import { pages } from './pages.js'

/**
 * Returns the states of the pages, as the server reads them, and a function that starts the builds.
 * @param {(name: string) => void} changed
 */
export function openPageBuilds(names = Object.keys(pages), changed = () => {}) {
  /** @type {Record<string, { status: string, startedAt?: number, error?: string }>} */
  const states = Object.fromEntries(
    names.map((name) => [
      name,
      pages[name].isCurrent()
        ? { status: 'ready' }
        : { status: 'building', startedAt: Date.now() },
    ]),
  )
  const outdated = () => names.filter((name) => states[name].status === 'building')
  const progress = openProgress((line) => console.log(`  ${line}`))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, progress.end)
  const showBuilding = () =>
    outdated().length > 0
      ? progress.show(`Building the ${outdated().join(' and the ')}`)
      : progress.end()
  const buildOne = async (name) => {
    const startedAt = Date.now()
    states[name] = { status: 'building', startedAt }
    states[name] = (await runBuild(name)) ?? states[name]
    progress.end()
    if (states[name].status === 'building') return
    console.log(toResult(name, states[name], Date.now() - startedAt))
    showBuilding()
    changed(name)
  }
  return {
    states,
    async build() {
      showBuilding()
      await Promise.all(outdated().map(buildOne))
    },
  }
}

/**
 * @param {string} name
 * @param {{ status: string, error?: string }} state
 * @param {number} ms
 */
function toResult(name, { status, error }, ms) {
  return status === 'ready'
    ? `  The ${name} is ready (${toSeconds(ms)}).`
    : `  The build of the ${name} failed:\n\n${error}\n\n` +
        '  The server works without it. Correct the error and run the command again.'
}

/** Returns the state at the end of the build; null if Ctrl+C stopped it before it had its own group. */
function runBuild(name) {
  /** @type {import('node:child_process').ForkOptions & { windowsHide: boolean }} */
  const options = {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
    // Ctrl+C stops the server, which then ends this process.
    detached: true,
    windowsHide: true,
  }
  const child = fork(join(root, 'scripts/build/page-process.js'), [name], options)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let output = ''
  child.stderr.on('data', (text) => {
    output = (output + text).slice(-4_000)
  })
  return new Promise((resolve) => {
    child.once('message', resolve)
    child.once('exit', (code, signal) =>
      resolve(
        signal === 'SIGINT' || signal === 'SIGTERM'
          ? null
          : {
              status: 'failed',
              error: output || `The process ended with ${signal ?? code}.`,
            },
      ),
    )
    child.once('error', (error) => resolve({ status: 'failed', error: error.message }))
  }).finally(() => process.off('exit', kill))
}
