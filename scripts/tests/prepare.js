// Builds what the files of a run need, as far as it is out of date: most import sources, but threads,
// processes and bots are built files.
import { readFileSync } from 'node:fs'
import { buildDashboard } from '../build/dashboard.js'
import { buildServer } from '../build/server.js'
import { transpilePackages } from '../build/transpile.js'
import { buildDocumentation } from '../docs.js'

/** Tests that run modules of a package in a separate process. */
const inProcess = /\bbuilt\(|'(?:\.\.\/)+dist\/(?!workers\b)/
const withDashboard =
  /support\/dashboard|servesDashboard|dashboard-pages|signed-in-profiles/
const withDocumentation = /dist\/docs\b/

/** `files` are the paths of the run's test files. */
export async function prepareTests(files) {
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  const isNeeded = (pattern) => texts.some((text) => pattern.test(text))
  await buildServer()
  if (isNeeded(inProcess)) await transpilePackages()
  if (isNeeded(withDashboard)) await buildDashboard()
  if (isNeeded(withDocumentation)) await buildDocumentation()
}
