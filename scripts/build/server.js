// Builds what the server needs for its first answer, as far as it is out of date. The pages follow:
// `pages.js`.
import { buildEchoBot } from '../../examples/echo-bot/build.js'
import { buildEngine } from '../../packages/flows/build.js'
import { packExamples } from '../examples.js'
import { assembleTemplates } from '../generated/templates.js'
import { bundlePackages } from './packages.js'
import { bundlePage } from './page.js'

/**
 * Calls `report` with a few words before each part.
 * @param {(words: string) => void} report
 */
export async function buildServer(report = () => {}) {
  await Promise.all([
    bundlePackages((names) => report(`Bundling ${names}`)),
    bundlePage(),
    buildEngine(),
    buildEchoBot().then(packExamples),
    assembleTemplates(),
  ])
}
